package org.allreducelab.backends.opencl;

import java.util.Set;

/**
 * What a device says about itself.
 *
 * @param name of the device
 * @param hardware what it runs on: the name of the whole device
 * @param platform name of its platform
 * @param version of the platform, for instance {@code OpenCL 3.0 CUDA 13.0.97}
 * @param driver driver version
 * @param deviceVersion 1.2 is 102
 * @param type of the device
 * @param identity what tells it from an equal one: a UUID or a PCI address; empty if it has neither
 * @param extensions names
 * @param external what it shares through handles
 * @param roundsToNearest CL_FP_ROUND_TO_NEAREST of CL_DEVICE_SINGLE_FP_CONFIG
 * @param keepsDenormals CL_FP_DENORM of the same
 * @param infAndNan CL_FP_INF_NAN of the same
 * @param svm CL_DEVICE_SVM_CAPABILITIES, 0 before OpenCL 2.0
 * @param computeUnits their number
 * @param maxWorkGroupSize work items in a group, at most
 * @param maxAllocationBytes of one buffer, at most
 * @param maxParameterBytes of all arguments of a kernel, at most
 * @param parts into how many equal sub-devices it is divided, 0 if it cannot be
 * @param obstacle why no group runs on it; empty if one does
 */
record DeviceFacts(
    String name,
    String hardware,
    String platform,
    String version,
    String driver,
    int deviceVersion,
    Type type,
    String identity,
    Set<String> extensions,
    ExternalHandles external,
    boolean roundsToNearest,
    boolean keepsDenormals,
    boolean infAndNan,
    long svm,
    int computeUnits,
    long maxWorkGroupSize,
    long maxAllocationBytes,
    long maxParameterBytes,
    int parts,
    String obstacle) {

  /** How an identity begins that has one. */
  static final String UUID = "uuid ";

  private static final int UUID_DIGITS = 32;

  /** Kinds of devices, in the order of endpoints. */
  enum Type {
    /** A GPU with memory of its own. */
    DISCRETE,
    /** A GPU that shares the host's memory. */
    INTEGRATED,
    /** An accelerator, or something else. */
    OTHER,
    /** The host's processor. */
    CPU
  }

  DeviceFacts {
    extensions = Set.copyOf(extensions);
  }

  boolean isCpu() {
    return type == Type.CPU;
  }

  /** 32 hexadecimal digits, or an empty string where the device does not tell. */
  String uuid() {
    return identity.startsWith(UUID)
        ? identity.substring(UUID.length(), UUID.length() + UUID_DIGITS)
        : "";
  }

  /** As those of a sub-device, which is not divided further. */
  DeviceFacts part(String partName) {
    return new DeviceFacts(
        partName,
        hardware,
        platform,
        version,
        driver,
        deviceVersion,
        type,
        identity,
        extensions,
        external,
        roundsToNearest,
        keepsDenormals,
        infAndNan,
        svm,
        computeUnits,
        maxWorkGroupSize,
        maxAllocationBytes,
        maxParameterBytes,
        0,
        obstacle);
  }

  String versionText() {
    return deviceVersion / 100 + "." + deviceVersion % 100;
  }
}
