import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Two keys have the same bytes if SQLite treats them as equal.
@Suite("Keys of rows without row ids") struct RowKeyTests {
  private static let literals = [
    "1", "1.0", "-1", "0", "-0.0", "0.5", "9223372036854775807", "9223372036854775808.0",
    "-9223372036854775808", "1e300", "9e999", "'1'", "''", "' '", "'a'", "'A'", "'a '", "'A  '",
    "'É'", "'é'", "'@'", "'`'", "'a' || char(0) || 'b'", "'a' || char(0) || 'c'",
    "'A' || char(0) || 'b '", "x''", "x'61'", "x'6120'", "x'00'", "'['",
  ]

  private func key(
    of statement: Statement,
    _ columns: [(number: Int32, collation: RowKeyCollation)]
  ) -> RowKey? {
    var bytes: [UInt8] = []
    for column in columns {
      let isKey = bytes.appendKey(
        statement.sqliteStatement,
        column: column.number,
        column.collation
      )
      guard isKey else { return nil }
    }
    return RowKey(bytes: bytes)
  }

  @Test(arguments: ["BINARY", "NOCASE", "RTRIM"])
  func `keys are equal where SQLite compares them as equal`(collation: String) throws {
    let rule = try #require(RowKeyCollation(collation))
    try withDatabase { db throws in
      for first in Self.literals {
        for second in Self.literals {
          let statement = try db.makeStatement(
            sql:
              "SELECT a = b COLLATE \(collation), a, b FROM (SELECT \(first) AS a, \(second) AS b)"
          )
          _ = try statement.firstStep()
          let isEqual = sqlite3_column_int(statement.sqliteStatement, 0) != 0
          let keys = [Int32(1), 2].map { column in
            key(of: statement, [(column, rule)])
          }
          #expect((keys[0] == keys[1]) == isEqual, "\(first) and \(second)")
          statement.reset()
        }
      }
    }
  }

  @Test func `the values of a key find its row`() throws {
    try withDatabase { db throws in
      try db.execute(
        sql:
          "CREATE TABLE keyed (a COLLATE NOCASE, b COLLATE RTRIM, PRIMARY KEY (a, b)) WITHOUT ROWID"
      )
      for literal in Self.literals {
        try db.execute(sql: "INSERT OR REPLACE INTO keyed VALUES (\(literal), \(literal))")
        let statement = try db.makeStatement(
          sql: "SELECT a, b FROM keyed WHERE a = \(literal) AND b = \(literal)"
        )
        _ = try statement.firstStep()
        let key = try #require(self.key(of: statement, [(0, .noCase), (1, .rightTrim)]))
        statement.reset()
        let count = try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM keyed WHERE a = ? AND b = ?",
          arguments: StatementArguments(values: key.values, namedValues: [:])
        )
        #expect(count == 1, "\(literal)")
      }
    }
  }

  @Test(arguments: ["NULL", "CAST(x'ff' AS TEXT)", "CAST(x'61c3' AS TEXT)"])
  func `NULL, and a text that is not UTF-8, are no part of a key`(literal: String) throws {
    try withDatabase { db throws in
      let statement = try db.makeStatement(sql: "SELECT \(literal)")
      _ = try statement.firstStep()
      #expect(key(of: statement, [(0, .binary)]) == nil)
      statement.reset()
    }
  }
}
