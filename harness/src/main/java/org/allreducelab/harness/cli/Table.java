package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows under columns, written as text, Markdown, CSV (RFC 4180) or JSON.
 *
 * <p>A cell is a string, a number, a boolean, a {@link Cell} or null (nothing). People's formats
 * show numbers as the column says, right-aligned, under its heading; machines' formats give them
 * unrounded under its key.
 */
public final class Table {
  /**
   * A cell that people and programs see differently.
   *
   * @param value for programs: a number, or a list of them (an array in JSON; CSV has the text)
   * @param text for people
   */
  public record Cell(Object value, String text) {
    /** The text. */
    @Override
    public String toString() {
      return text;
    }
  }

  private final List<Column> columns;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param key name for machines, for instance {@code p50_us}
   * @param heading name for people, for instance {@code p50 µs}
   * @param right whether it is right-aligned
   * @param pattern how numbers are shown to people, as in {@link String#format}; null as they are
   */
  public record Column(String key, String heading, boolean right, @Nullable String pattern) {
    /** Left-aligned text. */
    public static Column text(String key, String heading) {
      return new Column(key, heading, false, null);
    }

    /** Right-aligned whole numbers, or anything else as it is. */
    public static Column number(String key, String heading) {
      return new Column(key, heading, true, null);
    }

    /** Right-aligned numbers with a fixed number of decimals. */
    public static Column decimal(String key, String heading, int decimals) {
      return new Column(key, heading, true, "%." + decimals + "f");
    }
  }

  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has more or fewer cells than there are columns
   */
  public void row(@Nullable Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + columns.size() + " columns");
    }
    List<@Nullable Object> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell);
    }
    rows.add(row);
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  List<Column> columns() {
    return columns;
  }

  List<List<@Nullable Object>> rows() {
    return rows;
  }

  /** The table in a format, each line ended by a newline. */
  public String render(Format format) {
    return switch (format) {
      case TEXT -> AlignedTable.text(this);
      case MARKDOWN -> AlignedTable.markdown(this);
      case CSV -> MachineTable.csv(this);
      case JSON -> MachineTable.json(this);
    };
  }
}
