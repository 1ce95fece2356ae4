package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.junit.jupiter.api.Test;

class AlgorithmListTest {
  @Test
  void commasSeparateAlgorithmsAndParameters() {
    assertThat(AlgorithmList.items("ring,recursive-doubling:distance=asc,fold=adjacent,naive"))
        .containsExactly("ring", "recursive-doubling:distance=asc,fold=adjacent", "naive");
  }

  @Test
  void aParameterNeedsAnAlgorithm() {
    assertThatThrownBy(() -> AlgorithmList.parse("distance=asc,ring"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no algorithm before it");
  }

  @Test
  void eachAlgorithmComesOnceByItsCanonicalName() {
    assertThat(AlgorithmList.parse("rd,recursive-doubling:distance=desc,ring").values())
        .extracting(Algorithm::name)
        .containsExactly("recursive-doubling", "ring");
    assertThat(AlgorithmList.parse("ring,all").values()).hasSameSizeAs(Algorithms.all());
  }

  @Test
  void anUnknownNameListsTheKnownOnes() {
    assertThatThrownBy(() -> AlgorithmList.parse("rign"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'rign'")
        .hasMessageContaining("bidirectional-ring");
    assertThatThrownBy(() -> AlgorithmList.parse("")).isInstanceOf(UsageException.class);
  }
}
