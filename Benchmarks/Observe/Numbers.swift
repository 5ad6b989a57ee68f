internal import Storage

/// A table of many rows, which the benchmarks of larger observed queries read.
enum Numbers {
  /// Returns the SQL that creates a table with `count` rows, whose ids begin with 0.
  static func creation(count: Int) -> String {
    """
    CREATE TABLE number (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
    \(insertion(count: count))
    """
  }

  /// Returns the SQL that inserts `count` rows into the empty table.
  static func insertion(count: Int) -> String {
    """
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < \(count))
    INSERT INTO number SELECT n, n FROM n
    """
  }

  static let sum = "SELECT sum(value) FROM number"
  static let increment = "UPDATE number SET value = value + 1 WHERE id = ?"
}
