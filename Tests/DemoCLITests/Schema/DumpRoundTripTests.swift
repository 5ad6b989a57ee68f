import Foundation
import Storage
import TestSupport
import Testing

@testable import DemoCLI

/// `dump FILE | sqlite3 COPY`, compared byte by byte.
@Suite struct DumpRoundTripTests {
  /// Each value of a table: its class, and its bits or bytes.
  private static func values(_ path: String, _ sql: String) throws -> [[String]] {
    try DatabaseQueue(path: path).read { db in
      // Only the rows of a cursor have all bytes of a text that is not UTF-8.
      var values: [[String]] = []
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        values.append(try (0..<row.count).map { try row.decode(ExactValue.self, atIndex: $0).text })
      }
      return values
    }
  }

  private struct ExactValue: DatabaseValueConvertible {
    let text: String
    var databaseValue: DatabaseValue { text.databaseValue }
    static func fromDatabaseValue(_ value: DatabaseValue) -> ExactValue? { nil }
    static func fromColumnValue(_ column: ColumnValue) -> ExactValue? {
      if column.isNull { return ExactValue(text: "NULL") }
      let value = column.databaseValue.storage
      if case .double(let number) = value {
        return ExactValue(text: "\(column.type) \(number.bitPattern)")
      }
      if case .int64(let number) = value { return ExactValue(text: "\(column.type) \(number)") }
      return ExactValue(text: "\(column.type) \(Array(column.data))")
    }
  }

  /// Dumps a file through a pipe, and compares the schema and all rows.
  private func expectSameCopy(
    _ file: TestFile,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let copy = file.directory.appendingPathComponent("copy.sqlite").path
    let shell = try RunningTool(
      executable: "sh",
      arguments: [
        "-c",
        #"set -e; "$0" dump "$1" > "$2.sql"; sqlite3 -bail -cmd '.dbconfig defensive off' "$2" < "$2.sql""#,
        RunningTool.toolPath, file.path, copy,
      ]
    )
    #expect(try await shell.exitCode() == 0, "\(shell.errorText)", sourceLocation: sourceLocation)
    // The comment at the end of a view or an index is closed.
    let schema = """
      SELECT type, name, tbl_name, rtrim(sql, '*/' || char(10)) FROM sqlite_master ORDER BY type, name
      """
    #expect(
      try Self.values(copy, schema) == Self.values(file.path, schema),
      sourceLocation: sourceLocation
    )
    let tables = try await DatabaseQueue(path: file.path).read { db in
      try db.schemaObjects(.table).map(\.name).filter { !$0.hasPrefix("sqlite_") }
    }
    for table in tables {
      let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier)"
      let (original, other) = try (Self.values(file.path, sql), Self.values(copy, sql))
      #expect(original.count == other.count, sourceLocation: sourceLocation)
      for (row, otherRow) in zip(original, other) where row != otherRow {
        Issue.record("\(table): \(row) became \(otherRow)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: [
    "INSERT INTO t VALUES (replace('a~b', '~', char(13, 10)))",
    "INSERT INTO t VALUES (char(13)), (char(13, 10)), (char(10, 13, 13, 10))",
    "INSERT INTO t VALUES (CAST(x'610062' AS TEXT)), (CAST(x'00' AS TEXT))",
    "INSERT INTO t VALUES (CAST(x'ff' AS TEXT)), (CAST(x'61c30d0a00' AS TEXT))",
    "INSERT INTO t VALUES (9e999), (-9e999), (-0.0), (5e-324), (1.7976931348623157e308)",
    "INSERT INTO t VALUES (0.30000000000000004), (9007199254740993.0), (1e-300)",
    "INSERT INTO t VALUES (-9223372036854775808), (9223372036854775807), (x''), ('')",
    "INSERT INTO t VALUES ('.quit' || char(10) || '.quit'), (char(10) || '/' || char(10) || 'go')",
    "INSERT INTO t VALUES (char(39, 769)), (char(34, 769)), (char(65279)), (char(128512))",
    "CREATE TABLE \"a\r\nb\" (\"c\r\nd\" DEFAULT 'e\r\nf', g AS (1)); INSERT INTO \"a\r\nb\" VALUES (1)",
    "CREATE TABLE u (a, -- one\r\n b DEFAULT '\r\n'\r\n); INSERT INTO u DEFAULT VALUES",
    "CREATE VIEW v AS SELECT a FROM t -- the end",
    "CREATE INDEX i ON t (a) /* the end",
    "CREATE TABLE \"x'y\"\"z\" (a); INSERT INTO \"x'y\"\"z\" VALUES (1)",
    "CREATE VIRTUAL TABLE \"f\r\n\" USING fts5(a, tokenize = 'unicode61'); INSERT INTO \"f\r\n\" VALUES ('x')",
    "CREATE TABLE q (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO q VALUES (7); DELETE FROM q",
    "PRAGMA encoding = 'UTF-16le'; CREATE TABLE w (a); INSERT INTO w VALUES ('é' || char(0, 13, 10))",
    "PRAGMA encoding = 'UTF-16be'; CREATE TABLE w (a); INSERT INTO w VALUES ('😀''')",
  ])
  func `a dump keeps each byte`(sql: String) async throws {
    let file = try await TestFile()
    try Self.execute((sql.hasPrefix("PRAGMA") ? [] : ["CREATE TABLE t (a)"]) + [sql], file.path)
    try await expectSameCopy(file)
  }

  /// Random schemas and values.
  private struct Generator {
    var random: SeededGenerator

    mutating func name() -> String {
      random.pick(
        "a",
        "select",
        "a b",
        "x'y",
        "q\"r",
        "é",
        "e\u{301}",
        "l\nm",
        "l\r\nm",
        "tab\t",
        "-- c",
        "/* c",
        "😀",
        "\"",
        "'\u{301}",
        "n;",
        "(",
        "[x]",
        "`"
      ) + "\(random.number(below: 1000))"
    }

    mutating func type(isStrict: Bool) -> String {
      isStrict
        ? random.pick("INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY")
        : random.pick(
          "",
          "INT",
          "INTEGER",
          "REAL",
          "TEXT",
          "BLOB",
          "NUMERIC",
          "DATETIME",
          "BOOLEAN",
          "DECIMAL(10, 5)",
          "VARCHAR(20)"
        )
    }

    mutating func bytes() -> [UInt8] {
      (0..<random.number(below: 12)).map { _ in
        random.pick(from: [0, 9, 10, 13, 34, 39, 59, 65, 92, 126, 0xC3, 0xA9, 0xCC, 0x81, 0xFF])
      }
    }

    /// An expression, with the class that a strict table wants.
    mutating func value(_ type: String) -> String {
      let hexadecimal = bytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let blob = "x'\(hexadecimal)'"
      let text = "CAST(\(blob) AS TEXT)"
      let integer = "\(Int64(bitPattern: random.next()) >> random.number(below: 64))"
      let number = Double(bitPattern: random.next())
      let decimal = Double(random.number(in: -180_000_000..<180_000_000)) / 1_000_000
      let real =
        random.chance(50) && number.isFinite
        ? "\(number)" : random.pick("\(decimal)", "9e999", "-9e999", "-0.0", "5e-324")
      return switch type {
      case "INT", "INTEGER": random.pick(integer, "NULL")
      case "REAL": random.pick(real, "NULL")
      case "TEXT": random.pick(text, text, "NULL")
      case "BLOB": random.pick(blob, "NULL")
      default: random.pick(integer, real, text, blob, "NULL")
      }
    }

    /// Statements that make five tables with a hundred values.
    mutating func statements() -> [String] {
      var statements: [String] = []
      for number in 0..<5 {
        let isStrict = random.chance(40)
        let table = "\(name()) \(number)".quotedDatabaseIdentifier
        let columns = (0..<4).map { index in
          (name: "\(name()) \(index)", type: type(isStrict: isStrict))
        }
        var parts = columns.map { "\($0.name.quotedDatabaseIdentifier) \($0.type)" }
        parts.insert("id INTEGER PRIMARY KEY", at: 0)
        if random.chance(30) { parts.append("g \(isStrict ? "ANY" : "") AS (id + 1)") }
        var options: [String] = []
        if isStrict { options.append("STRICT") }
        if random.chance(30) { options.append("WITHOUT ROWID") }
        let list = parts.joined(separator: random.pick(", ", ",\r\n", ", -- c\n"))
        let end = options.joined(separator: ", ")
        statements.append("CREATE TABLE \(table) (\(list)) \(end)")
        let names = columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
        for id in 0..<5 {
          let values = columns.map { value($0.type) }.joined(separator: ", ")
          statements.append("INSERT INTO \(table) (id, \(names)) VALUES (\(id), \(values))")
        }
      }
      return statements
    }
  }

  private static func execute(_ statements: [String], _ path: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      for statement in statements { try db.execute(sql: statement) }
    }
  }

  @Test(arguments: Soak.seeds(100, inSuite: 1))
  func `soak: a dump of random tables keeps each byte`(seed: UInt64) async throws {
    let file = try await TestFile()
    var generator = Generator(random: SeededGenerator(seed: seed))
    try Self.execute(generator.statements(), file.path)
    try await expectSameCopy(file)
  }
}
