import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Each declared type of SQLite's documentation, in ordinary and in strict tables.
@Suite struct ColumnTypesTests {
  /// The type, and the declared types in an ordinary and in a strict table; `nil` for an error.
  static let constants: [(type: Database.ColumnType, ordinary: String, strict: String?)] = [
    (.text, "TEXT", "TEXT"), (.integer, "INTEGER", "INTEGER"), (.double, "DOUBLE", "REAL"),
    (.real, "REAL", "REAL"), (.numeric, "NUMERIC", nil), (.boolean, "BOOLEAN", "INTEGER"),
    (.blob, "BLOB", "BLOB"), (.date, "DATE", "TEXT"), (.datetime, "DATETIME", "TEXT"),
    (.any, "ANY", "ANY"), (.jsonText, "TEXT", "TEXT"), (.jsonb, "BLOB", "BLOB"),
  ]

  /// https://www.sqlite.org/datatype3.html#affinity_name_examples
  static let documented = [
    "INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "UNSIGNED BIG INT", "INT2",
    "INT8", "CHARACTER(20)", "VARCHAR(255)", "VARYING CHARACTER(255)", "NCHAR(55)",
    "NATIVE CHARACTER(70)", "NVARCHAR(100)", "TEXT", "CLOB", "BLOB", "REAL", "DOUBLE",
    "DOUBLE PRECISION", "FLOAT", "NUMERIC", "DECIMAL(10,5)", "BOOLEAN", "DATE", "DATETIME",
  ]

  private func declaredType(_ column: String, _ db: Database) throws -> String? {
    try db.columns(in: "t").first { $0.name == column }?.type
  }

  @Test(arguments: constants.indices)
  func `a strict table declares the type that stores the same values`(index: Int) throws {
    let (type, ordinary, strict) = Self.constants[index]
    try withDatabase { db in
      try db.create(table: "t") { t in t.column("c", type) }
      try db.alter(table: "t") { t in t.add(column: "d", type) }
      #expect(try declaredType("c", db) == ordinary && declaredType("d", db) == ordinary)
      try db.drop(table: "t")

      let refusal = """
        the strict table t has no type NUMERIC for its column c: use .integer, .real, .text or .any
        """
      guard let strict else {
        expectDatabaseError(.SQLITE_ERROR, refusal) {
          try db.create(table: "t", options: .strict) { t in t.column("c", type) }
        }
        try db.execute(sql: "CREATE TABLE t (a INTEGER) STRICT")
        expectDatabaseError(.SQLITE_ERROR, refusal) {
          try db.alter(table: "t") { t in t.add(column: "c", type) }
        }
        return
      }
      try db.create(table: "t", options: .strict) { t in t.column("c", type) }
      try db.alter(table: "T") { t in t.add(column: "d", type) }
      #expect(try declaredType("c", db) == strict && declaredType("d", db) == strict)
      try db.rebuild(table: "t", options: .strict) { t in t.column("c", type).notNull() }
      #expect(try declaredType("c", db) == strict)
      try db.create(table: "u", options: [.strict, .withoutRowID, .temporary]) { t in
        t.primaryKey("c", type)
      }
    }
  }

  @Test(arguments: documented)
  func `a declared type works, or is an error that names the column`(type: String) throws {
    try withDatabase { db in
      let columnType = Database.ColumnType(rawValue: type)
      try db.create(table: "t") { t in t.column("c", columnType) }
      #expect(try declaredType("c", db) == type)
      try db.drop(table: "t")
      do {
        try db.create(table: "t", options: .strict) { t in t.column("c", columnType) }
        let declared = try #require(try declaredType("c", db))
        #expect(["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"].contains(declared))
      } catch let error as DatabaseError {
        let message = error.message ?? ""
        #expect(message.contains("t.c") || message.contains("its column c"), "\(message)")
      }
    }
  }

  @Test(arguments: documented + [""])
  func `a strict table refers to a key of any type`(type: String) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE parent (id \(type) PRIMARY KEY)")
      try db.execute(sql: "INSERT INTO parent VALUES (\(type == "BLOB" ? "x'01'" : "1"))")
      try db.create(table: "t", options: .strict) { t in t.belongsTo("parent") }
      try db.execute(sql: "INSERT INTO t SELECT id FROM parent")
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t JOIN parent ON parentId = id") == 1
      )
    }
  }

  @Test func `values of Swift types fit the columns of a strict table`() throws {
    struct Thing: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "t"
      var flag: Bool
      var weight: Double
      var at: Date
      var tags: [String]
    }
    try withDatabase { db in
      try db.create(table: "t", options: .strict) { t in
        t.column("flag", .boolean).notNull()
        t.column("weight", .double).notNull()
        t.column("at", .datetime).notNull()
        t.column("tags", .jsonText).notNull()
      }
      let thing = Thing(flag: true, weight: 1.5, at: Date(timeIntervalSince1970: 60), tags: ["a"])
      try thing.insert(db)
      #expect(try Thing.fetchOne(db) == thing)
    }
  }
}
