import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A schema with one part that cannot be read, or has bytes that are not UTF-8, as SQLite permits.
@Suite struct OddSchemaTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The statements after `CREATE TABLE item`, in which `¿` means a byte that is not UTF-8.
    let sql: String
    /// A query over the odd part, and a statement that changes its result.
    var odd: (query: String, change: String)?
    var testDescription: String { name }
  }

  private final class Output: TextOutputStream {
    private(set) var text = ""
    func write(_ string: String) { text += string }
  }

  private static let update = (
    query: "SELECT max(rowid), * FROM u", change: "UPDATE u SET rowid = 5"
  )

  static let cases: [Case] = [
    Case(name: "a comment", sql: "CREATE TABLE u (a /* caf¿ */)", odd: update),
    Case(name: "a column", sql: "CREATE TABLE u (\"a¿\", \"a¿¿\")", odd: update),
    Case(name: "a declared type", sql: "CREATE TABLE u (a \"caf¿\")", odd: update),
    Case(
      name: "a declared type and a spelling of the kind",
      sql: "CREATE TABLE u (a \"caf¿\"); UPDATE sqlite_schema SET type = 'TABLE' WHERE name = 'u'",
      odd: update
    ),
    Case(name: "a default", sql: "CREATE TABLE u (a DEFAULT 'x¿', b DEFAULT 3)", odd: update),
    Case(name: "a check", sql: "CREATE TABLE u (a CHECK (a <> 'x¿'))", odd: update),
    Case(name: "a table", sql: "CREATE TABLE \"u¿\" (a); CREATE TABLE \"u¿¿\" (b)"),
    Case(
      name: "an index",
      sql: "CREATE TABLE u (a, b); CREATE INDEX \"i¿\" ON u (b, a)",
      odd: ("SELECT b FROM u ORDER BY b", "UPDATE u SET b = 'new'")
    ),
    Case(
      name: "an indexed column",
      sql: "CREATE TABLE u (\"a¿\", b); CREATE INDEX i ON u (\"a¿\", b)",
      odd: ("SELECT b FROM u ORDER BY b", "UPDATE u SET b = 'new'")
    ),
    Case(name: "a view", sql: "CREATE TABLE u (a); CREATE VIEW \"v¿\" AS SELECT a FROM u"),
    Case(
      name: "the text of a view",
      sql: "CREATE TABLE u (a); CREATE VIEW v AS SELECT rowid, a, 'x¿' FROM u",
      odd: ("SELECT rowid FROM v", "UPDATE u SET rowid = 5")
    ),
    Case(
      name: "a trigger",
      sql: """
        CREATE TABLE u (a);
        CREATE TRIGGER g AFTER INSERT ON u BEGIN SELECT 'x¿'; END
        """,
      odd: update
    ),
    Case(
      name: "the key of a table without row ids",
      sql: "CREATE TABLE u (\"a¿\" PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO u VALUES (1, 1)",
      odd: ("SELECT b FROM u", "UPDATE u SET b = b + 1")
    ),
    Case(
      name: "a virtual table without a module",
      sql: """
        INSERT INTO sqlite_schema VALUES
          ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING missing(a)')
        """
    ),
    Case(name: "a view without a table", sql: "CREATE VIEW v AS SELECT * FROM missing"),
  ]

  private static func database(_ test: Case) throws -> (TemporaryDirectory, DatabasePool) {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      """
      PRAGMA journal_mode = WAL; PRAGMA writable_schema = ON;
      \(Item.schema); INSERT INTO item VALUES (1, 'cup', 4);
      \(test.sql);
      UPDATE sqlite_schema SET sql = replace(sql, '¿', CAST(x'e9' AS TEXT)),
        name = replace(name, '¿', CAST(x'e9' AS TEXT)),
        tbl_name = replace(tbl_name, '¿', CAST(x'e9' AS TEXT));
      """,
      // Newer shells refuse to write the schema otherwise.
      options: ["-cmd", ".dbconfig defensive off"]
    )
    _ = try? SQLiteShell.run(directory.file(), "INSERT INTO u DEFAULT VALUES")
    return (directory, try DatabasePool(path: directory.file()))
  }

  @Test(arguments: cases)
  func `P1: other tables are written and observed`(_ test: Case) async throws {
    let (directory, pool) = try Self.database(test)
    defer { withExtendedLifetime(directory) {} }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Double.fetchAll(db, sql: "SELECT price FROM item")
    }.record(in: pool)
    #expect(try await recorder.nextValue() == [4])
    try await pool.write { db in
      try Item(id: 1, name: "cup", price: 5).update(db)
      try #expect(db.tableExists("item"))
      try #expect(db.schemaObjects(.table).contains { $0.name == "item" })
      try #expect(db.columns(in: "item").count == 3)
      _ = try db.triggers(on: "item")
      let schema = Output()
      try db.dumpSchema(to: schema)
      #expect(schema.text.contains(Item.schema))
      try db.notifyChanges(in: .fullDatabase)
    }
    #expect(try await recorder.nextValue() == [5])
    try await pool.write { db in try db.execute(sql: "UPDATE item SET name = 'x'") }
    try await pool.write { db in try db.execute(sql: "UPDATE item SET price = 6") }
    #expect(try await recorder.nextValue() == [6])
    cancellable.cancel()
  }

  @Test(arguments: cases.filter { $0.odd != nil })
  func `P1: the odd table itself is observed`(_ test: Case) async throws {
    let odd = try #require(test.odd)
    let (directory, pool) = try Self.database(test)
    defer { withExtendedLifetime(directory) {} }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Row.fetchAll(db, sql: odd.query).map { "\($0)" }
    }.record(in: pool)
    let first = try await recorder.nextValue()
    #expect(!first.isEmpty)
    try await pool.write { db in try db.execute(sql: odd.change) }
    #expect(try await recorder.nextValue() != first)
    cancellable.cancel()
  }

  /// Runs the tool, which must succeed.
  private func runTool(_ arguments: String...) throws {
    let process = try ChildProcess([Self.toolPath] + arguments)
    process.endInput()
    let output = process.read()
    let status = process.wait()
    try #require(status == 0, "\(arguments): \(output)")
  }

  @Test(arguments: cases)
  func `the tool explains, shows and follows other tables`(_ test: Case) async throws {
    let (directory, pool) = try Self.database(test)
    try pool.close()
    let path = directory.file()
    try runTool("explain", path, "--sql", "SELECT price FROM item")
    try runTool("schema", path, "item")
    try runTool("schema", path)
    try runTool("dump", path, "item")
    let watching = try WatchingProcess(path, sql: "SELECT price FROM item")
    #expect(await watching.next().contains("4"))
    try SQLiteShell.run(path, "UPDATE item SET price = 7")
    #expect(await watching.next().contains("7"))
  }

  @Test func `a dump has the bytes of the schema`() throws {
    let test = try #require(Self.cases.first)
    let (directory, pool) = try Self.database(test)
    try pool.close()
    let copy = directory.file("copy.sqlite")
    let dump = directory.file("dump.sql")
    let process = try ChildProcess([
      "/bin/sh", "-c", "'\(Self.toolPath)' dump '\(directory.file())' > '\(dump)'",
    ])
    process.endInput()
    let output = process.read()
    let status = process.wait()
    try #require(status == 0, "\(output)")
    try SQLiteShell.run(copy, ".read '\(dump)'")
    let hex = "SELECT hex(sql) FROM sqlite_schema WHERE name = 'u'"
    #expect(try SQLiteShell.run(copy, hex) == SQLiteShell.run(directory.file(), hex))
  }

  private static var toolPath: String {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("wellspring").path
  }
}
