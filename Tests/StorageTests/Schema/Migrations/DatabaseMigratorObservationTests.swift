import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseMigratorObservationTests {
  private static let tableCount = 20

  private static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("change all") { db in
      for table in 0..<tableCount {
        try db.rebuild(table: "t\(table)") { t in
          t.primaryKey("id", .integer)
          t.column("value", .integer).notNull()
          t.column("added", .text).notNull().defaults(to: "new")
          t.copy("value", from: Column("value") + 1000)
        }
      }
      // The last table is missing until the next migration.
      try db.rename(table: "t\(tableCount - 1)", to: "away")
    }
    migrator.registerMigration("bring it back") { db in
      try db.rename(table: "away", to: "t\(tableCount - 1)")
    }
    return migrator
  }()

  /// While the last table is missing, its observations report an error.
  @Test func `a hundred observations deliver the values of a migrated schema`()
    async throws
  {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      for table in 0..<Self.tableCount {
        try db.execute(
          sql: """
            CREATE TABLE t\(table) (id INTEGER PRIMARY KEY, value INTEGER);
            CREATE INDEX i\(table) ON t\(table)(value);
            INSERT INTO t\(table) VALUES (1, \(table));
            """
        )
      }
    }
    // Five observations of each table: all columns, one row, a count, a sum, an ordered column.
    let queries = [
      "SELECT * FROM", "SELECT value FROM # WHERE id = 1", "SELECT count(*) FROM",
      "SELECT sum(value) FROM", "SELECT value FROM # ORDER BY value",
    ]
    let observed = (0..<Self.tableCount).flatMap { table in
      queries.map { query in
        let sql =
          query.contains("#")
          ? query.replacing("#", with: "t\(table)") : "\(query) t\(table)"
        let observation = ValueObservation.tracking { db in
          try Row.fetchAll(db, sql: sql).map(\.description)
        }
        return (table: table, sql: sql, live: observation.record(in: pool))
      }
    }
    for (table, sql, live) in observed {
      let value = try await live.recorder.nextValue()
      #expect(value == [Self.value(sql, table, isNew: false)])
    }
    try await Self.migrator.migrate(pool, upTo: "change all")
    for (table, sql, live) in observed {
      if table == Self.tableCount - 1 {
        let error = try await live.recorder.nextError() as? DatabaseError
        #expect(error?.message == "no such table: t\(table)", "\(sql)")
      } else if !sql.contains("count") {
        // A count is the same as before, and is not delivered again.
        let value = try await live.recorder.nextValue()
        #expect(value == [Self.value(sql, table, isNew: true)], "\(sql)")
      }
    }
    try await Self.migrator.migrate(pool)
    for (table, sql, live) in observed where table == Self.tableCount - 1 && !sql.contains("count")
    {
      let value = try await live.recorder.value { _ in true }
      #expect(value == [Self.value(sql, table, isNew: true)], "\(sql)")
    }
    // Every observation follows its rebuilt table.
    try await pool.write { db in
      for table in 0..<Self.tableCount {
        try db.execute(sql: "INSERT INTO t\(table) (id, value) VALUES (2, 9999)")
        try db.execute(sql: "UPDATE t\(table) SET value = 9998 WHERE id = 1")
      }
    }
    for (_, sql, live) in observed {
      let last = try await live.recorder.value { rows in
        rows.contains { $0.contains("999") } || rows.contains("[count(*):2]")
          || rows.contains("[sum(value):19997]")
      }
      #expect(!last.isEmpty, "\(sql)")
    }
  }

  /// The result of a query before or after the migration.
  private static func value(_ sql: String, _ table: Int, isNew: Bool) -> String {
    let number = isNew ? table + 1000 : table
    if sql.contains("*) FROM") { return "[count(*):1]" }
    if sql.contains("sum") { return "[sum(value):\(number)]" }
    if sql.contains("*") { return "[id:1 value:\(number)\(isNew ? " added:'new'" : "")]" }
    return "[value:\(number)]"
  }
}
