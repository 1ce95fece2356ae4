package org.allreducelab.harness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each module may use. Maven's dependencies say most of it; these rules also hold inside the
 * one class path of the harness, and against what a dependency brings along.
 *
 * <pre>
 *   harness ──▶ results ─────────▶ algorithms
 *      └──────▶ each backend ──▶ backends/core ──▶ algorithms
 * </pre>
 *
 * A backend is a folder beside {@code backends/core}: a new one falls under the rules without a
 * change here.
 */
class ModuleRulesTest {
  private static final String ROOT = "org.allreducelab.";
  private static final String[] JDK_AND_ANNOTATIONS = {
    "java..", "jdk..", "com.sun.management..", "org.jspecify.."
  };

  private static final JavaClasses LAB =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // The contract tests of backends/core come as a jar where Maven has packed one.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.allreducelab");

  @Test
  void algorithmsUseTheJdkAlone() {
    mayUse(ROOT + "algorithms..");
  }

  @Test
  void resultsUseAlgorithmsAndTheirLibraries() {
    mayUse(
        ROOT + "results..",
        ROOT + "algorithms..",
        "org.HdrHistogram..",
        "org.apache.commons.math3..",
        "com.fasterxml.jackson..");
  }

  @Test
  void backendsCoreUsesAlgorithmsAndNoBackend() throws IOException {
    String[] backends = backends().map(ModuleRulesTest::packagesOf).toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(ROOT + "backends..")
        .and()
        .resideOutsideOfPackages(backends)
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(
                    with(JDK_AND_ANNOTATIONS, ROOT + "algorithms..", ROOT + "backends.."))
                .and(JavaClass.Predicates.resideOutsideOfPackages(backends)))
        .allowEmptyShould(true)
        .check(LAB);
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aBackendUsesCoreAndNoOtherBackend(String backend) throws IOException {
    String[] others =
        backends()
            .filter(other -> !other.equals(backend))
            .map(ModuleRulesTest::packagesOf)
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(packagesOf(backend))
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(
                    with(
                        JDK_AND_ANNOTATIONS,
                        ROOT + "algorithms..",
                        ROOT + "backends..",
                        "org.lwjgl.."))
                .and(JavaClass.Predicates.resideOutsideOfPackages(others)))
        .allowEmptyShould(true)
        .check(LAB);
  }

  /**
   * The top package of a module is its face and may be used from, and use, any package below it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"algorithms", "backends", "results", "harness"})
  void packagesOfAModuleFormNoCycle(String module) {
    slices()
        .matching(ROOT + module + ".(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(LAB);
  }

  @Test
  void everyBackendFolderIsOnTheClassPathOfTheHarness() throws IOException {
    assertThat(Files.readString(module("harness").resolve("pom.xml")))
        .contains(
            backends()
                .map(backend -> "<artifactId>backends-" + backend + "</artifactId>")
                .toList());
  }

  private static void mayUse(String packages, String... others) {
    classes()
        .that()
        .resideInAPackage(packages)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(with(with(JDK_AND_ANNOTATIONS, packages), others))
        .allowEmptyShould(true)
        .check(LAB);
  }

  private static String packagesOf(String backend) {
    return ROOT + "backends." + backend + "..";
  }

  /** The modules beside {@code backends/core}. */
  static Stream<String> backends() throws IOException {
    try (var folders = Files.list(module("backends"))) {
      List<String> names =
          folders
              .filter(folder -> Files.exists(folder.resolve("pom.xml")))
              .map(folder -> folder.getFileName().toString())
              .filter(name -> !name.equals("core"))
              .sorted()
              .toList();
      return names.stream();
    }
  }

  private static Path module(String name) {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("..").resolve(name);
  }

  private static String[] with(String[] packages, String... more) {
    return Stream.concat(Stream.of(packages), Stream.of(more)).toArray(String[]::new);
  }
}
