package org.allreducelab.harness;

import picocli.CommandLine.IVersionProvider;

/** Tells the version of the lab and of what it runs on. */
final class LabVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Lab.class.getPackage().getImplementationVersion();
    return new String[] {
      "lab " + (version == null ? "(run from its class files)" : version),
      System.getProperty("java.vm.name")
          + " "
          + System.getProperty("java.vm.version")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }
}
