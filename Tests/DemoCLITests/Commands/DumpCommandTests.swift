import Testing

@testable import DemoCLI

/// `dump` in a separate process.
@Suite struct DumpCommandTests {
  private static let schema = #"""
    CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, price REAL,
      double AS (price * 2), photo BLOB);
    INSERT INTO item (id, name, price, photo)
      VALUES (7, 'it''s', 0.1, x'00ff'), (9, NULL, 1e999, x''), (10, CAST(x'610062' AS TEXT), -0.5, 3);
    DELETE FROM item WHERE id = 9;
    INSERT INTO item (id) VALUES (20); DELETE FROM item WHERE id = 20;
    CREATE TABLE "key ""value" (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO "key ""value" VALUES ('a', 9223372036854775807);
    CREATE INDEX item_on_name ON item (name);
    CREATE VIEW names AS SELECT name FROM item;
    CREATE TRIGGER t AFTER DELETE ON item BEGIN SELECT 1; END;
    CREATE VIRTUAL TABLE docs USING fts5(body);
    INSERT INTO docs VALUES ('hello world');
    """#

  private func dump(_ arguments: String...) async throws -> (SQL: String, copy: TestFile) {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(arguments: ["dump", file.path] + arguments)
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    return (tool.outputText, try await TestFile(tool.outputText))
  }

  private func shell(_ file: TestFile, _ sql: String) async throws -> String {
    let shell = try RunningTool(executable: "sqlite3", arguments: [file.path, sql])
    #expect(try await shell.exitCode() == 0, "\(shell.errorText)")
    return shell.outputText
  }

  @Test func `the copy has the same rows, schema and sequences`() async throws {
    let original = try await TestFile(Self.schema)
    let copy = try await dump().copy
    for sql in [
      "SELECT *, hex(name), quote(photo) FROM item", #"SELECT * FROM "key ""value""#,
      "SELECT * FROM sqlite_sequence", "SELECT name, sql FROM sqlite_schema ORDER BY name",
      "SELECT * FROM docs WHERE docs MATCH 'hello'", "PRAGMA integrity_check",
    ] {
      #expect(try await shell(copy, sql) == shell(original, sql), "\(sql)")
    }
  }

  @Test func `a named table comes with its indexes and triggers only`() async throws {
    let (sql, copy) = try await dump("item")
    #expect(!sql.contains("docs"))
    #expect(
      try await shell(copy, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'")
        == "item\nitem_on_name\nt\n"
    )
  }

  @Test func `a missing table is an error`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    try await RunningTool.expectFailure(
      ["dump", file.path, "u"],
      "\(file.path): no such table: u (there are t)"
    )
  }
}
