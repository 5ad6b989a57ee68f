import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Processes that migrate one file, at the same time or killed in the middle.
@Suite struct DatabaseMigratorProcessTests {
  static let migrationCount = 6

  /// Each migration counts its runs, and needs the result of the migration before it.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("m0") { db in
      try db.execute(
        sql:
          "CREATE TABLE run (migration INTEGER); CREATE TABLE data (a INTEGER PRIMARY KEY, b TEXT)"
      )
      try fill(0, db)
    }
    for index in 1..<migrationCount {
      migrator.registerMigration("m\(index)") { db in
        try db.alter(table: "data") { t in t.add(column: "c\(index)", .text) }
        try db.create(indexOn: "data", columns: ["c\(index)"])
        try fill(index, db)
        if index == 3 {
          try db.rebuild(table: "data") { t in
            t.primaryKey("a", .integer)
            t.column("b", .text)
            for column in 1...3 { t.column("c\(column)", .text) }
          }
        }
      }
    }
    return migrator
  }()

  private static func fill(_ index: Int, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO run VALUES (?)", arguments: [index])
    try db.execute(
      sql: """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO data (b) SELECT 'row ' || i FROM n
        """
    )
  }

  /// Checks that the file is at a migration, not between two, and returns how many were applied.
  @discardableResult
  private static func check(_ path: String) throws -> Int {
    let pool = try DatabasePool(path: path)
    defer { try? pool.close() }
    return try pool.read { db in
      let applied = try migrator.completedMigrations(db).count
      guard applied > 0 else {
        try #expect(db.schemaObjects().isEmpty)
        return 0
      }
      try #expect(Int.fetchAll(db, sql: "SELECT migration FROM run") == Array(0..<applied))
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM data") == applied * 2000)
      try #expect(db.columns(in: "data").count == applied + 1)
      try #expect(db.schemaObjects(.index).filter { $0.sql != nil }.count == applied - 1)
      try db.checkIntegrity()
      return applied
    }
  }

  @Test func `ten processes that migrate a new file at the same time run each migration once`()
    async throws
  {
    let directory = TemporaryDirectory()
    let path = directory.file()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let pool = try DatabasePool(path: path)
            try await DatabaseMigratorProcessTests.migrator.migrate(pool)
            try pool.close()
          }
        }
      }
    }
    try #expect(Self.check(path) == Self.migrationCount)
  }

  @Test func `a migration waits for another process longer than the busy mode`() async throws {
    let shop = try Shop()
    let (tried, continuation) = AsyncStream.makeStream(of: Void.self)
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      continuation.yield()
      return false
    }
    let pool = try DatabasePool(path: shop.path, configuration: configuration)
    let session = try SQLiteSession(shop.path)
    await session.run("BEGIN IMMEDIATE")
    let migration = Task { try await DatabaseMigratorTests.migrator.migrate(pool) }
    for await _ in tried { break }
    await session.run("COMMIT")
    try await migration.value
    try await #expect(pool.read { db in try db.tableExists("team") })

    await session.run("BEGIN IMMEDIATE")
    var hasty = DatabaseMigratorTests.migrator
    hasty.lockTimeout = 0
    hasty.registerMigration("more") { _ in Issue.record("a migration ran without the write lock") }
    let impatient = hasty
    await #expect(throws: DatabaseError.self) { try await impatient.migrate(pool) }
    await session.run("COMMIT")
    await session.end()
  }

  @Test func `soak: a killed process leaves the file at a migration, not between two`() async throws
  {
    let directory = TemporaryDirectory()
    let path = directory.file()
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<Soak.size(50, inSuite: 5) {
      let delay = UInt32.random(in: 0..<30_000, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32] in
        let pool = try DatabasePool(path: path)
        Thread.detachNewThread {
          usleep(delay)
          kill(getpid(), SIGKILL)
        }
        try await DatabaseMigratorProcessTests.migrator.migrate(pool)
        // The migrations are done: waits for the kill.
        try await Task.sleep(for: .seconds(60))
      }
      let count = try Self.check(path)
      // Starts again with an empty file.
      if count == Self.migrationCount {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
      }
    }
    let pool = try DatabasePool(path: path)
    try await Self.migrator.migrate(pool)
    try pool.close()
    try #expect(Self.check(path) == Self.migrationCount)
  }
}
