import Storage
import Testing

@testable import DemoCLI

/// `schema` in a separate process.
@Suite struct SchemaCommandTests {
  private func schema(_ sql: String, _ arguments: String...) async throws -> String {
    let file = try await TestFile(sql)
    let tool = try RunningTool(arguments: ["schema", file.path] + arguments)
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    return tool.outputText
  }

  @Test func `the schema is the SQL that creates it, tables first`() async throws {
    #expect(
      try await schema(
        "CREATE TABLE b (x); CREATE INDEX i ON b (x); CREATE TABLE a (y UNIQUE); CREATE VIEW v AS SELECT 1"
      ) == """
        CREATE TABLE b (x);
        CREATE TABLE a (y UNIQUE);
        CREATE VIEW v AS SELECT 1;
        CREATE INDEX i ON b (x);

        """
    )
  }

  @Test func `a reference has the type of a row id, and migrations are no records`() async throws {
    let code = try await schema(
      """
      CREATE TABLE wellspring_migrations (identifier TEXT PRIMARY KEY);
      CREATE TABLE site (id INTEGER PRIMARY KEY);
      CREATE TABLE sensor (id INTEGER PRIMARY KEY, siteId INTEGER NOT NULL REFERENCES site,
        zone TEXT REFERENCES zone (name), size INTEGER NOT NULL);
      """,
      "--swift"
    )
    #expect(code.contains("  var siteId: Int64\n  var zone: String?\n  var size: Int\n"))
    #expect(!code.contains("Migrations"))
  }

  @Test func `a table is a record type with columns`() async throws {
    #expect(
      try await schema(
        """
        CREATE TABLE order_item (id INTEGER PRIMARY KEY, "unit_price" REAL NOT NULL, class TEXT,
          made_at DATETIME, done BOOLEAN NOT NULL, total AS (unit_price * 2), extra);
        INSERT INTO order_item (unit_price, done, extra) VALUES (1, 1, 5);
        """,
        "order_item",
        "--swift"
      ) == """
        import Foundation
        import Storage

        struct OrderItem: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
          static let databaseTableName = "order_item"

          var id: Int64?
          var unitPrice: Double
          var `class`: String?
          var madeAt: Date?
          var done: Bool
          var extra: Int?
          // "total" is computed by SQLite.

          enum CodingKeys: String, CodingKey {
            case id
            case unitPrice = "unit_price"
            case `class`
            case madeAt = "made_at"
            case done
            case extra
          }

          mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.rowID
          }
        }

        """
    )
  }

  @Test func `a view is a type that is only fetched`() async throws {
    let code = try await schema(
      "CREATE TABLE t (a INT); CREATE VIEW V AS SELECT a FROM t",
      "--swift"
    )
    #expect(
      code.contains(
        """
        struct V: Codable, FetchableRecord, TableRecord {
          static let databaseTableName = "V"

          var a: Int?
        """
      )
    )
    #expect(code.contains("struct T: Codable, FetchableRecord, PersistableRecord {\n  var a: Int?"))
  }

  @Test(arguments: [
    "\n", "\r", "\r\n", "\u{2028}", "\u{85}", "\u{B}", "\u{C}", "\u{202E}", "\u{1B}[2J", "\"", "\\",
    "\\(1)", "\"\"\"", "*/", "`", "#", "\u{7F}",
  ])
  func `a name is never code, whatever it holds`(part: String) async throws {
    let name = "a\(part)let evil = 1 //"
    let quoted = name.quotedDatabaseIdentifier
    let view = "v\(name)".quotedDatabaseIdentifier
    let file = try await TestFile()
    try await DatabaseQueue(path: file.path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT);
          CREATE TABLE t (a, \(quoted) AS (a));
          CREATE VIEW \(view) AS SELECT id AS \(quoted) FROM missing
          """
      )
    }
    let tool = try RunningTool("schema", file.path, "--swift")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    for line in tool.outputText.split(whereSeparator: \.isNewline) {
      let code = line.drop { $0 == " " }
      #expect(!code.hasPrefix("let evil"), "\(tool.outputText)")
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .format })
    }
  }

  @Test func `names that are equal in Swift get numbers, and an exact name keeps it`() async throws
  {
    let code = try await schema(
      """
      CREATE TABLE "a b" ("first_name", firstName, "first name", "!", "?", self, "init", "Type");
      CREATE TABLE a_b (x); CREATE TABLE codable (x); CREATE TABLE self (x); CREATE TABLE "Ab" (x)
      """,
      "--swift"
    )
    for line in [
      "struct AB: Codable", "struct AB2: Codable", "struct CodableRecord: Codable",
      "struct SelfRecord: Codable", "struct Ab: Codable", "var firstName2: ", "var firstName: ",
      "var firstName3: ", "var unnamed: ", "var unnamed2: ", "var self_: ", "var init_: ",
      "var type: ", #"case firstName2 = "first_name""#, "    case firstName\n",
    ] {
      #expect(code.contains(line), "\(line) in \(code)")
    }
  }

  @Test(arguments: [
    ("ANY", "", "DatabaseValue?"), ("ANY", "STRICT", "DatabaseValue?"), ("", "", "DatabaseValue?"),
    ("ANY NOT NULL", "", "DatabaseValue"), ("GEOMETRY", "", "DatabaseValue?"),
    ("NUMERIC", "", "Double?"), ("DECIMAL(10, 2)", "", "Double?"), ("JSON", "", "String?"),
    ("JSONB", "", "Data?"), ("INT", "STRICT", "Int?"), ("TEXT NOT NULL", "STRICT", "String"),
    ("BLOB", "", "Data?"), ("REAL", "", "Double?"), ("DATETIME", "", "Date?"),
    ("BOOLEAN NOT NULL", "", "Bool"), ("UUID", "", "UUID?"),
  ])
  func `a column has the type of its declaration, or any`(
    type: String,
    option: String,
    swift: String
  ) async throws {
    let code = try await schema("CREATE TABLE t (a INT, c \(type)) \(option)", "--swift")
    #expect(code.contains("  var c: \(swift)\n"), "\(code)")
  }

  @Test(arguments: [
    ("(1)", "Int?"), ("('a')", "String?"), ("(1.5), (2)", "Double?"), ("(x'00')", "Data?"),
    ("(1), ('a')", "DatabaseValue?"), ("(NULL)", "DatabaseValue?"),
    ("(1), (x'')", "DatabaseValue?"),
  ])
  func `stored values tell the type of a column without one`(
    values: String,
    swift: String
  ) async throws {
    for type in ["", "ANY", "STRING"] {
      let code = try await schema(
        "CREATE TABLE t (c \(type)); INSERT INTO t VALUES \(values)",
        "--swift"
      )
      #expect(code.contains("  var c: \(swift)\n"), "\(type) \(code)")
    }
  }

  @Test(arguments: [
    ("SELECT * FROM missing", "no such table: main.missing"),
    ("SELECT missing(id) FROM t", "no such function: missing"),
    ("SELECT other FROM t", "no such column: other"),
    (#"SELECT "text" FROM t"#, "no such column: text"),
  ])
  func `a broken view is named, and all others are printed`(sql: String, reason: String)
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    // Only a connection that does not resolve the view makes it.
    try await file.execute("CREATE VIEW \"b\nv\" AS \(sql); CREATE VIEW w AS SELECT id FROM t")
    let tool = try RunningTool("schema", file.path, "--swift")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("struct T: "))
    #expect(tool.outputText.contains("struct W: "))
    #expect(tool.outputText.contains(#"// No record for the view "b\nv": "#), "\(tool.outputText)")
    #expect(tool.errorText.contains(#"the view b\nv cannot be read: "#), "\(tool.errorText)")
    // Newer versions of SQLite quote the name of a column that was quoted.
    #expect(tool.errorText.replacing("\"", with: "").contains(reason), "\(tool.errorText)")
    let named = try RunningTool("schema", file.path, "b\nv", "--swift")
    #expect(try await named.exitCode() == 1)
    #expect(named.errorText.contains(#"the view b\nv cannot be read: "#))
  }

  @Test func `only an alias of the row id is set by an insertion`() async throws {
    let code = try await schema(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE b (inserted INTEGER PRIMARY KEY)
      """,
      "--swift"
    )
    #expect(code.contains("struct A: Codable, Identifiable, FetchableRecord, PersistableRecord"))
    #expect(code.contains("    self.inserted = inserted.rowID\n"))
  }

  @Test(arguments: [
    ("unit_price", "unitPrice"), ("URL", "url"), ("itemID", "itemID"), ("2nd", "_2nd"),
    ("Name", "name"), ("é t", "éT"), ("!", "unnamed"), ("A1_b", "a1B"),
  ])
  func `names of SQL become names of Swift`(sql: String, swift: String) {
    #expect(SwiftName.camelCase(sql) == swift)
  }
}
