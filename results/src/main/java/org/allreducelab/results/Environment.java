package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;

/**
 * Where, when and how the lab was started.
 *
 * @param lab the build of the lab
 * @param start when it started, UTC
 * @param commandLine the arguments as the user gave them, the command's name first
 * @param jvm the virtual machine
 * @param machine the machine
 * @param devices the devices that took part
 * @param warnings what may have spoilt the numbers, one line each
 */
public record Environment(
    LabBuild lab,
    Instant start,
    List<String> commandLine,
    Jvm jvm,
    Machine machine,
    List<DeviceInfo> devices,
    List<String> warnings) {
  public Environment {
    requireNonNull(lab, "lab");
    requireNonNull(start, "start");
    requireNonNull(jvm, "jvm");
    requireNonNull(machine, "machine");
    commandLine = List.copyOf(requireNonNull(commandLine, "commandLine"));
    devices = List.copyOf(requireNonNull(devices, "devices"));
    warnings = List.copyOf(requireNonNull(warnings, "warnings"));
  }
}
