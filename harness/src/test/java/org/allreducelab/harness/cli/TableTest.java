package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.allreducelab.harness.cli.Table.Column;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table =
      new Table(
          Column.text("algorithm", "algorithm"),
          Column.number("bytes", "bytes"),
          Column.decimal("p50_us", "p50 µs", 2));

  TableTest() {
    table.row("ring", 20480, 12.406);
    table.row("a|b, \"c\"", null, 1.0);
  }

  @Test
  void textAlignsNumbersRight() {
    assertThat(table.render(Format.TEXT))
        .isEqualTo(
            """
            algorithm  bytes  p50 µs
            ring       20480   12.41
            a|b, "c"            1.00
            """);
  }

  @Test
  void markdownEscapesBars() {
    assertThat(table.render(Format.MARKDOWN))
        .isEqualTo(
            """
            | algorithm | bytes | p50 µs |
            | --------- | ----: | -----: |
            | ring      | 20480 |  12.41 |
            | a\\|b, "c" |       |   1.00 |
            """);
  }

  @Test
  void csvQuotesAndDoesNotRound() {
    assertThat(table.render(Format.CSV))
        .isEqualTo("algorithm,bytes,p50_us\nring,20480,12.406\n\"a|b, \"\"c\"\"\",,1.0\n");
  }

  @Test
  void jsonIsAnArrayOfObjects() {
    assertThat(table.render(Format.JSON).replaceAll("\\s", ""))
        .isEqualTo(
            "[{\"algorithm\":\"ring\",\"bytes\":20480,\"p50_us\":12.406},"
                + "{\"algorithm\":\"a|b,\\\"c\\\"\",\"bytes\":null,\"p50_us\":1.0}]");
  }

  @Test
  void aRowMustFit() {
    assertThatThrownBy(() -> table.row("ring")).isInstanceOf(IllegalArgumentException.class);
  }
}
