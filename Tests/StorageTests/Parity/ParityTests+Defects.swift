import Foundation
import Storage
import TestSupport
import Testing

@testable import StorageTestSupport

private struct Numbered: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "t"
  var a: Int
  var b: Int
}

private struct Person: Decodable {
  var id: Int64
  var name: String
}

private struct Couple: Decodable, FetchableRecord {
  var employee: Person
  var manager: Person
}

/// A record with a column of its own making.
private struct Tenths: Codable, FetchableRecord, EncodableRecord {
  var number: Int
  init(number: Int) { self.number = number }
  init(row: Row) { number = row["tenths"] / 10 }
  func encode(to container: inout PersistenceContainer) { container["tenths"] = number * 10 }
}

private struct Wrapper: Codable, FetchableRecord, EncodableRecord {
  var content: Tenths
  init(content: Tenths) { self.content = content }
  init(from decoder: any Decoder) throws {
    content = try decoder.singleValueContainer().decode(Tenths.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(content)
  }
}

private struct Informed: Decodable, FetchableRecord {
  struct Inner: Decodable {
    enum CodingKeys: CodingKey {}
    let seen: String?
    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: CodingKeys.self)
      seen = decoder.userInfo[Informed.key] as? String
    }
  }
  static let key = CodingUserInfoKey(rawValue: "origin")!
  var inner: Inner

  static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[key] = "own"
    return decoder
  }
}

private enum Call {
  @TaskLocal static var number = 0
}

extension ParityTests {
  /// Defects of accesses, schemas and coding, each with the right value.
  static let quietDefects: [ParityLine] = [
    .same(.defect(1), "a schema change that is rolled back, and another one") {
      try withDatabase { db throws in
        try db.inTransaction {
          try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)")
          try #expect(!Numbered.exists(db, key: 1))
          return .rollback
        }
        try db.execute(sql: "CREATE TABLE t (b INTEGER PRIMARY KEY, a INTEGER)")
        try db.execute(sql: "INSERT INTO t VALUES (1, 2), (2, 1)")
        #expect(try Numbered.deleteOne(db, key: 1))
        #expect(try Int.fetchAll(db, sql: "SELECT b FROM t") == [2])
      }
    },
    .same(.defect(3), "two nested records in a row without scopes") {
      try withDatabase { db throws in
        _ = #expect(throws: (any Error).self) {
          try Couple.fetchAll(db, sql: "SELECT 1 AS id, 'Ann' AS name")
        }
      }
    },
    .same(.defect(5), "singleValueContainer().decode(Inner.self)") {
      try withDatabase { db throws in
        let read = try Wrapper.fetchOne(db, sql: "SELECT 70 AS tenths")
        #expect(read?.content.number == 7)
        var written = PersistenceContainer()
        try Wrapper(content: Tenths(number: 4)).encode(to: &written)
        #expect(written["tenths"]?.databaseValue == 40.databaseValue)
      }
    },
    .same(.defect(6), "updateAll, deleteAll through a view with INSTEAD OF triggers") {
      try withPlayers { db throws in
        try db.execute(
          sql: """
            CREATE VIEW star AS SELECT id, name FROM player;
            CREATE TRIGGER renaming INSTEAD OF UPDATE ON star
            BEGIN UPDATE player SET name = new.name WHERE id = old.id; END
            """
        )
        let stars = Table("star").filter(Column("id") <= 2)
        #expect(try stars.updateAll(db, Column("name").set(to: "Star")) == 2)
      }
    },
    .same(.defect(8), #"t.column("j", .jsonText) in a STRICT table"#) {
      try withDatabase { db throws in
        try db.create(table: "t", options: .strict) { $0.column("j", .jsonText) }
        #expect(try db.columns(in: "t").map(\.type) == ["TEXT"])
      }
    },
    .same(.defect(9), "task-local values in an asynchronous access") {
      let queue = try DatabaseQueue()
      let seen = try await Call.$number.withValue(7) {
        try await queue.write { _ in (Call.number, Task.isCancelled) }
      }
      #expect(seen == (7, false))
    },
    .same(.defect(11), "row.unscoped") {
      try withLibrary { db throws in
        let row = try #require(try Row.fetchOne(db, Author.including(all: Author.books)))
        #expect(!row.prefetchedRows.isEmpty)
        #expect(row.unscoped.prefetchedRows.isEmpty)
      }
    },
    .same(.defect(13), "databaseJSONDecoder(for:) with a userInfo of its own") {
      try withDatabase { db throws in
        let record = try Informed.fetchOne(db, sql: "SELECT '{}' AS inner")
        #expect(record?.inner.seen == "own")
      }
    },
    .same(.defect(14), #"cachedStatement(literal: "… ?"), allStatements(literal: "… ?")"#) {
      try withDatabase { db throws in
        let cached = try db.cachedStatement(literal: "SELECT ? + 1")
        #expect(try Int.fetchOne(cached, arguments: [2]) == 3)
        let statements = try db.allStatements(literal: "SELECT ? + 2")
        let statement = try #require(try statements.next())
        #expect(try Int.fetchOne(statement, arguments: [2]) == 4)
      }
    },
    .documented(
      .defect(15),
      "an alias that is the name of another table",
      #"`TableAlias(name: "team")` renames the joined table `team`"#
    ),
    .same(.defect(18), "publicStatementArguments in a trace") {
      var configuration = Configuration()
      configuration.publicStatementArguments = true
      try withDatabase(configuration) { db throws in
        nonisolated(unsafe) var texts: [String] = []
        db.trace { texts.append($0.description) }
        try db.execute(sql: "SELECT ?", arguments: ["shown"])
        db.trace(options: [])
        #expect(texts.contains("SELECT 'shown'"))
      }
    },
    .same(.defect(20), #"tableExists("sqlite_stat1")"#) {
      try withDatabase { db throws in
        try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t (a)")
        #expect(try !db.tableExists("sqlite_stat1"))
        try db.execute(sql: "INSERT INTO t VALUES (1); ANALYZE")
        #expect(try db.tableExists("sqlite_stat1"))
      }
    },
    .same(.defect(21), #"table(_:, hasUniqueKey: ["rowid"])"#) {
      try withDatabase { db throws in
        try db.execute(sql: "CREATE TABLE t (a); CREATE TABLE u (a PRIMARY KEY) WITHOUT ROWID")
        #expect(try db.table("t", hasUniqueKey: ["rowid"]))
        #expect(try !db.table("u", hasUniqueKey: ["rowid"]))
      }
    },
    .documented(
      .defect(22),
      #"notifyChanges(in: Table("sqlite_master"))"#,
      #"`notifyChanges(in: Table("sqlite_master"))`"#
    ),
    .same(.defect(23), "eraseDatabaseOnSchemaChange beside prepareDatabase that needs a file") {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        guard db.path.hasPrefix("/") else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      }
      let directory = TemporaryDirectory()
      let queue = try DatabaseQueue(path: directory.file(), configuration: configuration)
      for column in ["a", "b"] {
        var migrator = DatabaseMigrator()
        migrator.eraseDatabaseOnSchemaChange = true
        migrator.registerMigration("1") { db in try db.create(table: "t") { $0.column(column) } }
        try await migrator.migrate(queue)
        #expect(try await queue.read { db in try db.columns(in: "t").map(\.name) } == [column])
      }
    },
    .same(.defect(25), #"t.belongsTo("pair") of a key of two columns, t.primaryKey { belongsTo }"#)
    {
      try withDatabase { db throws in
        try db.execute(sql: "CREATE TABLE pair (a INTEGER, b TEXT, PRIMARY KEY (a, b))")
        try db.create(table: "child") { $0.belongsTo("pair") }
        #expect(try db.indexes(on: "child").map(\.name) == ["index_child_on_pairA_pairB"])
        try db.create(table: "only") { $0.belongsTo("pair").unique() }
        let index = try #require(try db.indexes(on: "only").first)
        #expect(index.name == "index_only_on_pairA_pairB" && index.isUnique)
        try db.execute(sql: "CREATE TABLE parent (id TEXT PRIMARY KEY)")
        try db.create(table: "part") { t in t.primaryKey { t.belongsTo("parent") } }
        #expect(try db.indexes(on: "part").map(\.name) == ["sqlite_autoindex_part_1"])
      }
    },
  ]
}
