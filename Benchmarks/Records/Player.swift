internal import Foundation
internal import Storage

/// Columns of several types: a `Codable` record, which the baseline builds too.
struct Player: Codable, FetchableRecord {
  var id: Int
  var name: String
  var email: String?
  var score: Double
  var joined: Date
}

extension Player: Checksummed {
  var checksum: Int {
    [id, name.checksum, email.checksum, score.checksum, joined.checksum].checksum
  }
}

extension Player {
  /// Returns the SQL that creates the table with the given number of rows.
  ///
  /// Names are short enough to be stored inside a `String` value; email addresses are not, and
  /// every fourth one is NULL.
  static func creation(rows: Int) -> String {
    """
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, score REAL NOT NULL,
      joined TEXT NOT NULL
    );
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows))
    INSERT INTO player
    SELECT
      n,
      'Player ' || n,
      CASE WHEN n % 4 > 0 THEN 'player.' || n || '@example.com' END,
      n * 0.25 + 0.125,
      strftime('%Y-%m-%d %H:%M:%f', -300000000 + n * 7919 + n % 1000 / 1000.0, 'unixepoch')
    FROM number
    """
  }

  /// The SQL that fetches all rows.
  static let selection = "SELECT id, name, email, score, joined FROM player"
}
