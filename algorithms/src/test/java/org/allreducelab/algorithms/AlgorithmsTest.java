package org.allreducelab.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlgorithmsTest {

  @Test
  void allTwelveByName() {
    assertThat(Algorithms.names())
        .containsExactly(
            "naive",
            "ring",
            "bidirectional-ring",
            "halving-doubling",
            "recursive-doubling",
            "one-shot",
            "two-shot",
            "binomial-tree",
            "double-binary-tree",
            "swing",
            "swing-latency",
            "circulant");
    assertThat(Algorithms.all()).extracting(Algorithm::name).isEqualTo(Algorithms.names());
  }

  @Test
  void everyAlgorithmHasASummaryOfOneLine() {
    assertThat(Algorithms.all())
        .allSatisfy(
            algorithm ->
                assertThat(algorithm.summary())
                    .isNotEqualTo(algorithm.name())
                    .hasSizeBetween(20, 90)
                    .doesNotContain("\n")
                    .doesNotEndWith("."));
  }

  @Test
  void namesAndAliasesAreUnambiguous() {
    Set<String> seen = new HashSet<>(Algorithms.names());
    assertThat(Algorithms.aliases().keySet()).allMatch(seen::add);
  }

  @Test
  void everyAliasGivesTheAlgorithmItStandsFor() {
    Algorithms.aliases()
        .forEach((alias, name) -> assertThat(Algorithms.named(alias).name()).isEqualTo(name));
  }

  @ParameterizedTest
  @CsvSource({
    "rabenseifner, halving-doubling",
    "hd, halving-doubling",
    "rd, recursive-doubling",
    "dbt, double-binary-tree",
    "tree, binomial-tree",
    "bidi-ring, bidirectional-ring"
  })
  void theFieldsUsualShortNamesWork(String alias, String name) {
    assertThat(Algorithms.named(alias).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ring",
        "one-shot:pieces=8",
        "recursive-doubling:distance=asc",
        "halving-doubling:fold=adjacent",
        "recursive-doubling:distance=asc,fold=adjacent"
      })
  void canonicalNamesNameThemselves(String name) {
    assertThat(Algorithms.named(name).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "'rd:fold=high,distance=desc', recursive-doubling",
    "'one-shot:pieces=1', one-shot",
    "'hd:fold=adjacent,distance=asc', 'halving-doubling:distance=asc,fold=adjacent'"
  })
  void canonicalNamesLeaveOutDefaultsAndSortParameters(String text, String canonical) {
    assertThat(Algorithms.named(text).name()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rign           | unknown algorithm 'rign'; known: naive, ring, bidirectional-ring,",
        "''             | unknown algorithm ''; known: naive, ring, bidirectional-ring,",
        "Ring           | unknown algorithm 'Ring'; known: naive, ring, bidirectional-ring,",
        "ring:          | ring: nothing follows the colon; write name:key=value",
        "ring:fold=high | ring: unknown parameter 'fold'; it takes none",
        "rd:dist=asc    | recursive-doubling: unknown parameter 'dist'; known: distance=desc_asc, f",
        "rd:distance=up | recursive-doubling: 'up' is no distance; known: distance=desc_asc",
        "one-shot:pieces=0 | one-shot: pieces must be a number from 1 to 1024, not '0'",
        "one-shot:pieces=x | one-shot: pieces must be a number from 1 to 1024, not 'x'",
        "one-shot:parts=2  | one-shot: unknown parameter 'parts'; known: pieces=1..1024",
        "rd:distance    | recursive-doubling: 'distance' is no parameter; write key=value",
        "rd:distance=   | recursive-doubling: 'distance=' is no parameter; write key=value",
        "rd:fold=high,  | recursive-doubling: '' is no parameter; write key=value",
        "rd:fold=high,fold=high | recursive-doubling: parameter 'fold' is given twice"
      })
  void wrongNamesSayWhatIsKnown(String text, String message) {
    assertThatThrownBy(() -> Algorithms.named(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message.replace('_', '|'));
  }
}
