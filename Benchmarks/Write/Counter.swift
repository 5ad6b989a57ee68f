/// A table of counters, which the benchmarks of small transactions read and write.
enum Counter {
  /// How many transactions a round contains.
  ///
  /// Each transaction writes a page to the WAL. Together they write fewer than the thousand pages
  /// after which SQLite runs an automatic checkpoint, so no wait for the disk is measured.
  static let transactionCount = 900

  /// The number of counters. Their ids begin with 0.
  static let count = 100

  /// The SQL that creates the table.
  static let creation = """
    CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
    WITH RECURSIVE number (n) AS (
      SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(count)
    )
    INSERT INTO counter SELECT n, n FROM number
    """

  /// The SQL that increments a counter.
  static let increment = "UPDATE counter SET value = value + ? WHERE id = ?"

  /// The SQL that reads a counter.
  static let selection = "SELECT value FROM counter WHERE id = ?"

  /// The SQL that sums all counters.
  static let sum = "SELECT sum(value) FROM counter"
}
