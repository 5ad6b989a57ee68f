internal import Storage

/// Ten integers: a `Codable` record, which the baseline builds and inserts too.
struct Integers: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "integers"

  var a: Int
  var b: Int
  var c: Int
  var d: Int
  var e: Int
  var f: Int
  var g: Int
  var h: Int
  var i: Int
  var j: Int
}

extension Integers {
  /// Creates the integers of the `number`-th row, for up to a million rows.
  init(number: Int) {
    func value(_ column: Int) -> Int { (number * 37 + column * 100_003) % 1_000_000 }
    self.init(
      a: number,
      b: value(1),
      c: value(2),
      d: value(3),
      e: value(4),
      f: value(5),
      g: value(6),
      h: value(7),
      i: value(8),
      j: value(9)
    )
  }

  /// Returns the given number of rows.
  static func rows(_ count: Int) -> [Integers] { (0..<count).map(Integers.init(number:)) }
}

extension Integers: Checksummed {
  var checksum: Int { [a, b, c, d, e, f, g, h, i, j].checksum }
}

extension Integers {
  /// The SQL that creates the table.
  static let creation = """
    CREATE TABLE integers (
      a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, d INTEGER NOT NULL,
      e INTEGER NOT NULL, f INTEGER NOT NULL, g INTEGER NOT NULL, h INTEGER NOT NULL,
      i INTEGER NOT NULL, j INTEGER NOT NULL
    )
    """

  /// The SQL that fetches all rows.
  static let selection = "SELECT a, b, c, d, e, f, g, h, i, j FROM integers"

  /// The SQL that inserts a row.
  static let insertion = """
    INSERT INTO integers (a, b, c, d, e, f, g, h, i, j) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// The SQL that reduces the table to one number.
  static let checksum = """
    SELECT count(*) + sum(rowid * (a + 2*b + 3*c + 5*d + 7*e + 11*f + 13*g + 17*h + 19*i + 23*j))
    FROM integers
    """
}
