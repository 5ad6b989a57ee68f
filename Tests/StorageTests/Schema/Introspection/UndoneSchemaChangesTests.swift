import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport
@testable import TestSupport

/// Schema changes that are undone: SQLite sets its schema version back, and reaches the same number
/// again.
@Suite struct UndoneSchemaChangesTests {
  struct Twist: TableRecord {
    static let databaseTableName = "twist"
  }

  /// How a schema change is undone.
  enum Undoing: String, CaseIterable {
    case transaction, error, savepoint, rollback, rollbackTo, rawRollback, rawRollbackTo
    case conflict, failedAttachment, rereading

    func undo(_ db: Database, _ change: () throws -> Void) throws {
      switch self {
      case .transaction:
        try db.inTransaction {
          try change()
          return .rollback
        }
      case .error:
        #expect(throws: CancellationError.self) {
          try db.inTransaction {
            try change()
            throw CancellationError()
          }
        }
      case .savepoint:
        try db.inTransaction {
          try db.inSavepoint {
            try change()
            return .rollback
          }
          return .commit
        }
      case .rollback: try within(db, "BEGIN", change, "ROLLBACK")
      case .rollbackTo: try within(db, "SAVEPOINT s", change, "ROLLBACK TO s; RELEASE s")
      case .rawRollback:
        try within(db, "BEGIN", change, "")
        #expect(sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
      case .rawRollbackTo:
        try within(db, "BEGIN; SAVEPOINT s", change, "")
        let sql = "ROLLBACK TO s; COMMIT"
        #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
      case .conflict:
        try db.execute(sql: "CREATE TEMP TABLE one (a UNIQUE); INSERT INTO one VALUES (1)")
        try within(db, "BEGIN", change, "")
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT OR ROLLBACK INTO one VALUES (1)")
        }
        #expect(!db.isInsideTransaction)
      case .failedAttachment:
        try within(db, "BEGIN", change, "")
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "ATTACH '/nowhere/at/all' AS missing")
        }
        try reread(db)
        try db.execute(sql: "ROLLBACK")
      case .rereading:
        try within(db, "BEGIN", change, "PRAGMA writable_schema = RESET")
        try reread(db)
        try db.execute(sql: "ROLLBACK")
      }
    }

    private func within(
      _ db: Database,
      _ begin: String,
      _ change: () throws -> Void,
      _ end: String
    ) throws {
      try db.execute(sql: begin)
      try change()
      try db.execute(sql: end)
    }

    /// Reads the schema again, in the transaction that is going to be undone.
    private func reread(_ db: Database) throws {
      #expect(try db.primaryKey("twist").columns == ["a"])
    }
  }

  @Test(arguments: Undoing.allCases, ["main", "temp", "side"])
  func `the schema of an undone change is forgotten`(undoing: Undoing, schema: String) throws {
    try withDatabase { db in
      try db.attach(.inMemory, as: "side")
      try db.execute(sql: "CREATE TEMP TABLE other (a)")
      try undoing.undo(db) {
        try db.execute(sql: "CREATE TABLE \(schema).twist (a INTEGER PRIMARY KEY, b INTEGER)")
        #expect(try !Twist.exists(db, key: 1))
        #expect(try db.columns(in: "twist").map(\.name) == ["a", "b"])
        _ = try db.makeStatement(sql: "SELECT a FROM twist").databaseRegion()
      }
      try db.execute(
        sql: """
          CREATE TABLE \(schema).twist (b INTEGER PRIMARY KEY, a INTEGER);
          INSERT INTO twist VALUES (1, 2), (2, 1);
          """
      )
      #expect(try db.primaryKey("twist").columns == ["b"])
      #expect(try db.columns(in: "twist").map(\.name) == ["b", "a"])
      #expect(try Twist.exists(db, key: 1))
      #expect(try Twist.deleteOne(db, key: 1))
      #expect(try Int.fetchAll(db, sql: "SELECT b FROM twist") == [2])
    }
  }

  @Test(arguments: Soak.seeds(400, inSuite: 10))
  func `after any changes and rollbacks, a connection knows what a new one reads`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file("main.sqlite"))
    let side = directory.file("side.sqlite")
    try queue.writeWithoutTransaction { db in
      try db.attach(side, as: "side")
      var steps: [String] = []
      for _ in 0..<60 {
        let step = Self.step(db.isInsideTransaction, &generator)
        steps.append(step)
        // Many steps fail: a table exists already, or a savepoint does not.
        try? db.execute(sql: step)
        for table in ["t0", "t1"] {
          let known = try? db.columns(in: table).map(\.name)
          let sql = "SELECT name FROM pragma_table_info(?)"
          let names = try String.fetchAll(db, sql: sql, arguments: [table])
          try #require(known ?? [] == names, "\(steps)")
          let indexes = try? db.indexes(on: table).map(\.name)
          let indexSQL = "SELECT name FROM pragma_index_list(?)"
          let found = try String.fetchAll(db, sql: indexSQL, arguments: [table])
          try #require(Set(indexes ?? []) == Set(found), "\(steps)")
        }
        guard !db.isInsideTransaction else { continue }
        try compareWithNewConnection(db, directory, steps)
      }
      if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
  }

  private static func step(_ isInside: Bool, _ generator: inout SeededGenerator) -> String {
    let schema = ["main", "temp", "side"].randomElement(using: &generator)!
    let table = "\(schema).t\(Int.random(in: 0...1, using: &generator))"
    let columns = ["a INTEGER PRIMARY KEY, b", "b INTEGER PRIMARY KEY, a", "c, d UNIQUE, e"]
    let column = "c\(Int.random(in: 0...9, using: &generator))"
    return [
      "CREATE TABLE \(table) (\(columns.randomElement(using: &generator)!))",
      "DROP TABLE \(table)",
      "ALTER TABLE \(table) ADD COLUMN \(column)",
      "CREATE INDEX \(schema).\(column) ON t0 (a)",
      "CREATE TABLE \(table) AS SELECT abs(-9223372036854775807 - 1) AS a",
      isInside ? "ROLLBACK" : "BEGIN",
      isInside ? "COMMIT" : "BEGIN",
      "SAVEPOINT s",
      "ROLLBACK TO s",
      "RELEASE s",
      "ATTACH '/nowhere/at/all' AS missing",
    ].randomElement(using: &generator)!
  }

  private func compareWithNewConnection(
    _ db: Database,
    _ directory: TemporaryDirectory,
    _ steps: [String]
  ) throws {
    let new = try DatabaseQueue(path: directory.file("main.sqlite"))
    defer { try? new.close() }
    try new.writeWithoutTransaction { new in
      try new.attach(directory.file("side.sqlite"), as: "side")
      for schema in ["main", "side"] {
        for table in ["t0", "t1"] {
          let known = try? db.columns(in: table, in: schema).map(\.name)
          let read = try? new.columns(in: table, in: schema).map(\.name)
          try #require(known == read, "\(steps)")
          let sql = "SELECT * FROM \(schema).\(table)"
          let knownRegion = try? db.cachedStatement(sql: sql).databaseRegion()
          let readRegion = try? new.makeStatement(sql: sql).databaseRegion()
          try #require(knownRegion == readRegion, "\(steps)")
        }
      }
    }
  }
}
