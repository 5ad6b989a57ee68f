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

          enum Columns {
            static let id = Column(CodingKeys.id)
            static let unitPrice = Column(CodingKeys.unitPrice)
            static let `class` = Column(CodingKeys.`class`)
            static let madeAt = Column(CodingKeys.madeAt)
            static let done = Column(CodingKeys.done)
            static let extra = Column(CodingKeys.extra)
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
    ("unit_price", "unitPrice"), ("URL", "url"), ("itemID", "itemID"), ("2nd", "_2nd"),
    ("Name", "name"), ("é t", "éT"), ("!", "unnamed"), ("A1_b", "a1B"),
  ])
  func `names of SQL become names of Swift`(sql: String, swift: String) {
    #expect(SwiftRecord.camelCase(sql) == swift)
  }
}
