import CommandLineSupport
import Foundation
import Storage
import TestSupport
import Testing

@testable import DemoCLI

/// The output of `schema --swift`, type-checked by the compiler against the built library.
@Suite struct CompiledRecordsTests {
  /// Schemas whose names the compiler, the library or the other names of a record may know.
  private static let names = [
    "self", "Self", "init", "type", "Type", "Protocol", "Any", "codable", "identifiable", "string",
    "int", "date", "data", "uuid", "column", "columns", "coding_keys", "codingKeys", "coding_key",
    "table_record", "fetchable record", "persistable_record", "inserted", "insertion_success",
    "class", "default", "case", "in", "as", "is", "some", "any", "async", "await", "actor", "get",
    "set", "where", "nil", "true", "none", "hash", "hash value", "description", "rawValue",
    "stringValue", "int value", "allCases", "database_table_name", "databaseSelection",
    "databaseComponents", "insert", "update", "delete", "save", "encode", "didInsert", "willSave",
    "id", "ID", "i d", "_id", "rowid", "storage", "foundation", "swift", "error", "result", "task",
    "optional", "array", "dictionary", "encoder", "decoder", "row", "database", "sql", "void",
    "", "!", "?", "a b", "a_b", "aB", "1", "1a", "½", "²", "Ⅷ", "é", "e\u{301}", "日本", "ß", "ŉ",
    "\u{345}x", "ª", "😀", "x😀y", "a\u{200D}b", "a\u{202E}b", "a\nb", "a\r\nb", "a\rb", "a\u{2028}b",
    "a\"b", "a\\b", "a\\(b)", "a`b", "a'b", "//", "/*", "*/", "#if", "@main", "$0", "_", "__",
    "İ", "ǅ", "ﬁ", "א", "क्ष", "ก็",
  ]

  private struct Generator {
    var random: SeededGenerator

    mutating func name() -> String {
      let name = random.pick(from: CompiledRecordsTests.names)
      return random.chance(80) ? name : name + random.pick(from: CompiledRecordsTests.names)
    }

    mutating func type() -> String {
      random.pick(
        "",
        "INTEGER",
        "INT",
        "TEXT",
        "REAL",
        "BLOB",
        "ANY",
        "NUMERIC",
        "DATETIME",
        "BOOLEAN",
        "UUID",
        "JSON",
        "JSONB",
        "VARCHAR(9)",
        "GEOMETRY"
      ) + random.pick("", " NOT NULL")
    }

    /// Names that SQLite treats as different columns or tables.
    mutating func names(_ count: Int) -> [String] {
      var names: [String] = []
      var known: Set<[UInt8]> = []
      for _ in 0..<count {
        let name = name()
        let key = name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
        let isOwnTable = name.lowercased().hasPrefix("sqlite_")
        if known.insert(key).inserted, !isOwnTable { names.append(name) }
      }
      return names
    }

    mutating func schema() -> [String] {
      let tables = names(random.number(in: 1..<5))
      return tables.enumerated().flatMap { index, table in
        var columns = names(random.number(in: 1..<8)).map(\.quotedDatabaseIdentifier)
        let computed = random.chance(20) && columns.count > 1 ? columns.removeLast() : nil
        var parts = columns.map { "\($0) \(type())" }
        if random.chance(50) { parts[0] = "\(columns[0]) INTEGER PRIMARY KEY" }
        if let computed { parts.append("\(computed) AS (1)") }
        let name = table.quotedDatabaseIdentifier
        let list = parts.joined(separator: ", ")
        var statements = ["CREATE TABLE \(name) (\(list))"]
        if random.chance(20) {
          let view = "view \(index) \(table)".quotedDatabaseIdentifier
          let source = random.chance(50) ? name : "missing"
          statements.append("CREATE VIEW \(view) AS SELECT * FROM \(source)")
        }
        return statements
      }
    }
  }

  /// Returns the records of a schema, in a name space of their own.
  private func records(_ statements: [String], number: Int) throws -> String {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in
      for statement in statements { try db.execute(sql: statement) }
    }
    let command = try SchemaCommand(
      ParsedArguments([directory.file(), "--swift"], syntax: SchemaCommand.syntax)
    )
    let code = try queue.read { try command.swift(FileSchema($0, tables: []), $0) }
    let body = code.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
    return "enum Schema\(number) {\n\(body.joined(separator: "\n"))\n}\n"
  }

  private func typeCheck(_ code: String) async throws {
    let directory = TemporaryDirectory()
    let path = directory.file("Records.swift")
    try "import Foundation\nimport Storage\n\n\(code)".write(
      toFile: path,
      atomically: true,
      encoding: .utf8
    )
    let products = URL(fileURLWithPath: RunningTool.toolPath).deletingLastPathComponent().path
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardizedFileURL.path
    let compiler = try RunningTool(
      executable: "swiftc",
      arguments: [
        "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", products + "/Modules",
        "-I", root + "/Sources/CWellspringSQLite", path,
      ]
    )
    let status = try await compiler.exitCode()
    #expect(status == 0, "\(compiler.errorText.prefix(4000))")
  }

  @Test func `each hostile name compiles`() async throws {
    var code = ""
    for (number, name) in Self.names.enumerated() {
      let quoted = name.quotedDatabaseIdentifier
      code += try records(
        ["CREATE TABLE \(quoted) (\(quoted) INTEGER PRIMARY KEY, x AS (1))"],
        number: number
      )
    }
    try await typeCheck(code)
  }

  @Test(arguments: Soak.seeds(100, inSuite: 1))
  func `soak: the records of random schemas compile`(seed: UInt64) async throws {
    var generator = Generator(random: SeededGenerator(seed: seed))
    let code = try (0..<100).map { try records(generator.schema(), number: $0) }.joined()
    try await typeCheck(code)
  }
}
