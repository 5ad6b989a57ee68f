/// A table of counters: what the benchmarks of small transactions write and read.
enum Counter {
  /// How many transactions a round holds. Each writes a page to the WAL: together they stay under
  /// the thousand at which SQLite runs a checkpoint by itself, so that no wait for the disk is
  /// measured.
  static let transactionCount = 900

  /// How many counters there are. Their ids begin with 0.
  static let count = 100

  /// The SQL that makes the table.
  static let creation = """
    CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
    WITH RECURSIVE number (n) AS (
      SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(count)
    )
    INSERT INTO counter SELECT n, n FROM number
    """

  /// The SQL that raises a counter.
  static let raising = "UPDATE counter SET value = value + ? WHERE id = ?"

  /// The SQL that reads a counter.
  static let selection = "SELECT value FROM counter WHERE id = ?"

  /// The SQL that adds all counters up.
  static let sum = "SELECT sum(value) FROM counter"
}
