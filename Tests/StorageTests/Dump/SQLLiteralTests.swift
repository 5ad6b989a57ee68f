import Foundation
import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

/// The literals of dumps, read by SQLite.
@Suite struct SQLLiteralTests {
  private static let texts = [
    "", "O'Brien", "'", "''", "a\r\nb", "\r", "\r\n", "a\rb\0c", "\0", "~\r^|#\0",
    "\u{301}", "'\u{301}", "\"\u{301}'\u{308}", "\\0\\r", "e\u{301}", "\u{FEFF}x", "😀\r\n'",
    "\u{E000}~^|#\r",
  ]
  private static let reals: [Double] = [
    0, -0.0, 0.1, 0.3, 1.5, -2.5, 1e15, 1e16, 1e22, 1e23, 1e300, -1e308, .greatestFiniteMagnitude,
    .leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    Double(bitPattern: 10_121), 1e-290,
    9_007_199_254_740_992, 9_223_372_036_854_775_808, 0.1 + 0.2, 1 / 3, .pi, 8.559999999999999,
    .infinity, -.infinity,
  ]

  private func read(_ literal: String, _ db: Database) throws -> DatabaseValue? {
    try DatabaseValue.fetchOne(db, sql: "SELECT \(literal)")
  }

  @Test(arguments: texts)
  func `a text comes back from its literal with all its bytes`(text: String) throws {
    try withDatabase { db in
      for context in [SQLLiteralContext.expression, .defaultValue, .script] {
        let literal = text.databaseValue.sqlLiteral(in: context)
        guard case .string(let read)? = try read(literal, db)?.storage else {
          Issue.record("\(literal) is not a text")
          continue
        }
        #expect(Array(read.utf8) == Array(text.utf8), "\(literal)")
        if context == .script { #expect(!literal.utf8.contains(13)) }
      }
      #expect(try read(text.databaseValue.description, db) == text.databaseValue)
    }
  }

  @Test(arguments: ["ff", "61c3", "ed a0 80", "c0 80", "00ff0d0a"])
  func `a text that is not UTF-8 stays a text`(hexadecimal: String) throws {
    struct Literal: DatabaseValueConvertible {
      let text: String
      var databaseValue: DatabaseValue { text.databaseValue }
      static func fromDatabaseValue(_ value: DatabaseValue) -> Literal? { nil }
      static func fromColumnValue(_ column: ColumnValue) -> Literal? {
        Literal(text: column.sqlLiteral(in: .script))
      }
    }
    let digits = hexadecimal.replacing(" ", with: "").uppercased()
    try withDatabase { db in
      let sql = "SELECT CAST(x'\(digits)' AS TEXT)"
      let literal = try #require(try Literal.fetchOne(db, sql: sql)).text
      let row = try Row.fetchOne(db, sql: "SELECT typeof(\(literal)), hex(\(literal))")
      #expect(row == ["typeof(\(literal))": "text", "hex(\(literal))": digits])
    }
  }

  @Test(arguments: reals)
  func `a number comes back from its literal with all its bits`(number: Double) throws {
    try withDatabase { db in
      for literal in [number.databaseValue.sqlLiteral, "(\(number.databaseValue.sqlLiteral))"] {
        guard case .double(let read)? = try read(literal, db)?.storage else {
          Issue.record("\(literal) is no REAL")
          continue
        }
        #expect(read.bitPattern == number.bitPattern, "\(literal)")
      }
    }
  }

  @Test func `short numbers have short literals`() {
    for number in [0.1, 1.5, -2.25, 100, 1e20, 12_345.678] {
      #expect(number.databaseValue.sqlLiteral == "\(number)")
    }
    #expect(Double.nan.databaseValue.sqlLiteral == "NULL")
  }

  @Test(arguments: Soak.seeds(100, inSuite: 1))
  func `soak: SQLite reads the literals of random numbers as these numbers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withDatabase { db in
      for _ in 0..<1000 {
        let number =
          random.chance(50)
          ? Double(bitPattern: random.next())
          : Double(random.number(in: -180_000_000..<180_000_000)) / 1_000_000
        guard number.isFinite else { continue }
        let literal = number.databaseValue.sqlLiteral
        guard case .double(let read)? = try read(literal, db)?.storage else {
          Issue.record("\(literal) is no REAL")
          continue
        }
        #expect(read.bitPattern == number.bitPattern, "\(literal)")
      }
    }
  }

  @Test(arguments: [
    "CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 1 -- one",
    "CREATE VIEW v AS SELECT 1 /* one", "CREATE INDEX i ON item (name) -- \"'",
    "CREATE TABLE t (a /* ; */, \"b;--\")",
    "CREATE TRIGGER r AFTER INSERT ON item BEGIN SELECT 1; END",
    "CREATE TRIGGER r AFTER INSERT ON item BEGIN SELECT 1; END -- end",
  ])
  func `the statement of an object of the schema ends with a semicolon`(sql: String) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      let name = try #require(
        try String.fetchOne(db, sql: "SELECT name FROM sqlite_master ORDER BY rowid DESC")
      )
      let object = try #require(try db.schemaObjects().first { $0.name == name })
      let statement = try #require(object.statement)
      var text = ""
      try db.dumpSchema(to: TextCollector { text += $0 })
      #expect(text.contains(statement))
      try withDatabase { copy in
        // A comment would include the text after it.
        try copy.execute(sql: "\(statement) CREATE TABLE next (a);")
        #expect(try copy.tableExists("next"))
        let sql = try #require(object.sql)
        #expect(try copy.schemaObjects().contains { $0.sql?.hasPrefix(sql) == true })
      }
    }
  }
}

extension SQLLiteralTests {
  @Test(arguments: [
    ("CREATE TABLE t (a); DROP TABLE u", "CREATE TABLE t (a);"),
    ("CREATE TABLE t (a DEFAULT ';')\n;\n.shell id", "CREATE TABLE t (a DEFAULT ';')\n;"),
    (
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT ';'; END; DROP TABLE u",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT ';'; END;"
    ),
    ("CREATE VIEW v AS SELECT 1 /* ; */ -- ;", "CREATE VIEW v AS SELECT 1 /* ; */ -- ;\n;"),
  ])
  func `a statement ends where SQLite stops to read it`(sql: String, statement: String) {
    #expect(SchemaObject.statement(sql) == statement)
  }
}

private final class TextCollector: TextOutputStream {
  private let append: (String) -> Void

  init(_ append: @escaping (String) -> Void) { self.append = append }

  func write(_ text: String) { append(text) }
}
