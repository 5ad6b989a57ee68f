import Foundation
import Storage
import TestSupport
import Testing

@testable import StorageTestSupport

/// Registers a migration by a method that compiles with a warning.
private protocol OldRegistration {
  static func register(_ migrator: inout DatabaseMigrator)
}

private enum Deferred: OldRegistration {
  @available(*, deprecated)
  static func register(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigrationWithDeferredForeignKeyCheck("lonely") { db in
      try db.execute(sql: "INSERT INTO player (teamId) VALUES (9)")
    }
  }
}

@Suite struct DatabaseMigratorTests {
  /// Three migrations that create two tables.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("teams") { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
      }
    }
    migrator.registerMigration("players") { db in
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("team", onDelete: .cascade)
      }
    }
    migrator.registerMigration("scores") { db in
      try db.alter(table: "player") { t in
        t.add(column: "score", .integer).notNull().defaults(to: 0)
      }
    }
    return migrator
  }()

  @Test func `MIG-05, A-066: migrations run once, in order`() throws {
    let queue = try DatabaseQueue()
    var progress: [MigrationProgress] = []
    try Self.migrator.migrate(queue) { progress.append($0) }
    #expect(
      progress.map(\.identifier) == ["teams", "teams", "players", "players", "scores", "scores"]
    )
    #expect(progress.map(\.completedCount) == [0, 1, 1, 2, 2, 3])
    #expect(progress.map(\.isCompleted) == [false, true, false, true, false, true])
    #expect(progress.allSatisfy { $0.totalCount == 3 })
    try queue.read { db in
      try #expect(db.columns(in: "player").map(\.name) == ["id", "teamId", "score"])
      try #expect(Self.migrator.appliedMigrations(db) == ["teams", "players", "scores"])
      try #expect(Self.migrator.appliedIdentifiers(db) == ["teams", "players", "scores"])
      try #expect(Self.migrator.hasCompletedMigrations(db))
      try #expect(!Self.migrator.hasBeenSuperseded(db))
    }
    try Self.migrator.migrate(queue) { _ in Issue.record("nothing is left to do") }
  }

  @Test func `migrating a migrated database needs no write lock`() throws {
    let shop = try Shop()
    try Self.migrator.migrate(shop.pool)
    try shop.pool.unsafeReentrantRead { db in
      try #expect(Self.migrator.hasCompletedMigrations(db))
    }
    // A migrated database needs no write lock, so a service starts while another connection writes.
    let other = try DatabasePool(path: shop.path, configuration: .patient)
    try other.write { _ in try Self.migrator.migrate(shop.pool) }
  }

  @Test func `A-066: a database is migrated up to a given migration`() throws {
    let queue = try DatabaseQueue()
    try Self.migrator.migrate(queue, upTo: "players")
    try queue.read { db in
      try #expect(Self.migrator.completedMigrations(db) == ["teams", "players"])
      try #expect(!Self.migrator.hasCompletedMigrations(db))
      try #expect(db.columns(in: "player").count == 2)
    }
    #expect(throws: MigrationError.databaseIsBeyond("teams", appliedMigration: "players")) {
      () throws in try Self.migrator.migrate(queue, upTo: "teams")
    }
    #expect(throws: MigrationError.undefinedMigration("x")) { () throws in
      try Self.migrator.migrate(queue, upTo: "x")
    }
    try Self.migrator.migrate(queue)
    try #expect(queue.read(Self.migrator.hasCompletedMigrations))
  }

  @Test func `a migration that throws is rolled back, and those before it are kept`() throws {
    struct Failure: Error {}
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("bad") { db in
      try db.drop(table: "player")
      throw Failure()
    }
    migrator.registerMigration("later") { _ in
      Issue.record("a migration ran after one that failed")
    }
    let bad = migrator
    #expect(throws: Failure.self) { () throws in try bad.migrate(queue) }
    try queue.write { db in
      try #expect(bad.appliedMigrations(db) == ["teams", "players", "scores"])
      try #expect(db.tableExists("player"))
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test func `a migration is named in the errors of the database and of rows`() throws {
    let queue = try DatabaseQueue()
    func message(_ migrate: @escaping @Sendable (Database) throws -> Void) -> String {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("bad", migrate: migrate)
      let failing = migrator
      let error = #expect(throws: DatabaseError.self) { () throws in try failing.migrate(queue) }
      return error?.description ?? ""
    }
    #expect(
      message { try $0.execute(sql: "SELECT * FORM item") } == """
        SQLite error 1: migration bad: near "FORM": syntax error - while executing \
        "SELECT * FORM item"
        """
    )
    #expect(
      message { _ = try Int.fetchAll($0, sql: "SELECT 'x' AS n") } == """
        SQLite error 4: migration bad failed (after: column n holds 'x', which is no Int - in rows \
        of "SELECT 'x' AS n")
        """
    )
    #expect(
      message { _ in throw RecordError.recordNotFound(databaseTableName: "item", key: [:]) }
        .hasPrefix("SQLite error 4: migration bad failed (after: ")
    )
  }

  @Test func `A-066: a database from the future is refused`() throws {
    let queue = try DatabaseQueue()
    var future = Self.migrator
    future.registerMigration("v2050") { _ in }
    try future.migrate(queue)
    let error = MigrationError.databaseIsSuperseded(unknownMigrations: ["v2050"])
    #expect(throws: error) { () throws in try Self.migrator.migrate(queue) }
    #expect(
      error.description
        == "the database was migrated by a later version of this program, with unknown migrations: v2050"
    )
    try #expect(queue.read(Self.migrator.hasBeenSuperseded))
    var tolerant = Self.migrator
    tolerant.allowsUnknownMigrations = true
    try tolerant.migrate(queue)
  }

  // MARK: - Foreign keys

  @Test func `A-066: foreign keys are checked at the end of a migration`() throws {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("data") { db in
      try db.execute(
        sql: "INSERT INTO team VALUES (1, 'Reds'); INSERT INTO player VALUES (1, 1, 0)"
      )
    }
    try migrator.migrate(queue)
    migrator.registerMigration("replace teams") { db in
      // No player is deleted with the old table.
      try db.drop(table: "team")
      try db.create(table: "team") { t in t.autoIncrementedPrimaryKey("id") }
      try db.execute(sql: "INSERT INTO team VALUES (1)")
    }
    try migrator.migrate(queue)
    try #expect(queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM player") } == 1)
    migrator.registerMigration("lose teams") { db in try db.execute(sql: "DELETE FROM team") }
    let bad = migrator
    expectDatabaseError(
      .SQLITE_CONSTRAINT_FOREIGNKEY,
      """
      migration lose teams: FOREIGN KEY constraint failed: player(teamId): row 1 refers to team(id) \
      = 1, which does not exist
      """
    ) {
      try bad.migrate(queue)
    }
    try #expect(queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM team") } == 1)
  }

  @Test func `A-066: immediate foreign key checks apply to each statement`() throws {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator.disablingDeferredForeignKeyChecks()
    migrator.registerMigration("lonely", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: "INSERT INTO player (teamId) VALUES (9)")
    }
    let bad = migrator
    let message = "migration lonely: FOREIGN KEY constraint failed"
    expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, message) { try bad.migrate(queue) }
  }

  @Test func `without deferred checks, new migrations neither enforce nor check foreign keys`()
    throws
  {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("data") { db in
      try db.execute(
        sql: "INSERT INTO team VALUES (1, 'Reds'); INSERT INTO player VALUES (1, 1, 0)"
      )
    }
    migrator = migrator.disablingDeferredForeignKeyChecks()
    migrator.registerMigration("replace teams") { db in
      // Enforced foreign keys would delete the player.
      try db.drop(table: "team")
      try db.create(table: "team") { t in t.autoIncrementedPrimaryKey("id") }
    }
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM player") == 1)
      try #expect(db.foreignKeyViolations().count == 1)
    }
  }

  @Test func `migrations registered before the checks were disabled are still checked`() throws {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("lonely") { db in
      try db.execute(sql: "INSERT INTO player (teamId) VALUES (9)")
    }
    let checked = migrator.disablingDeferredForeignKeyChecks()
    #expect {
      try checked.migrate(queue)
    } throws: {
      ($0 as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    }
  }

  @Test func `the old method for deferred checks registers a migration as usual`() throws {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    let registration: any OldRegistration.Type = Deferred.self
    registration.register(&migrator)
    let bad = migrator
    #expect(bad.migrations == ["teams", "players", "scores", "lonely"])
    expectDatabaseError(
      .SQLITE_CONSTRAINT_FOREIGNKEY,
      """
      migration lonely: FOREIGN KEY constraint failed: player(teamId): row 1 refers to team(id) = \
      9, which does not exist
      """
    ) {
      try bad.migrate(queue)
    }
  }

  @Test func `foreign keys that are not enforced are not checked`() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    var migrator = Self.migrator
    migrator.registerMigration("lonely") { db in
      try db.execute(sql: "INSERT INTO player (teamId) VALUES (9)")
    }
    try migrator.migrate(queue)
  }

  @Test(arguments: [true, false])
  func `ALT-21: a table is rebuilt in a migration`(isDeferred: Bool) throws {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("rebuild", foreignKeyChecks: isDeferred ? .deferred : .immediate) {
      db in
      try db.execute(
        sql: "INSERT INTO team VALUES (1, 'Reds'); INSERT INTO player VALUES (1, 1, 0)"
      )
      try db.rebuild(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull().unique()
        t.copy("title", from: "name")
      }
    }
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(String.fetchOne(db, sql: "SELECT title FROM team") == "Reds")
      try #expect(Int.fetchOne(db, sql: "SELECT teamId FROM player") == 1)
    }
  }

  // MARK: - Merged migrations

  @Test(arguments: [0, 1, 2])
  func `A-066: a merged migration replaces old ones`(appliedCount: Int) throws {
    let queue = try DatabaseQueue()
    let old = ["teams", "players"].prefix(appliedCount)
    if let last = old.last { try Self.migrator.migrate(queue, upTo: last) }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("all", merging: ["teams", "players"]) { db, applied in
      #expect(applied == Set(old))
      if !applied.contains("teams") {
        try db.create(table: "team") { t in t.autoIncrementedPrimaryKey("id") }
      }
      if !applied.contains("players") {
        try db.create(table: "player") { t in t.belongsTo("team") }
      }
    }
    try #expect(!queue.read(migrator.hasBeenSuperseded))
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(migrator.appliedIdentifiers(db) == ["all"])
      try #expect(db.tableExists("player"))
    }
    try migrator.migrate(queue)
  }

  @Test func `a merged migration may keep the name of the last old one`() throws {
    let queue = try DatabaseQueue()
    try Self.migrator.migrate(queue)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("scores", merging: ["teams", "players", "scores"]) { _, applied in
      #expect(applied.isEmpty)
      Issue.record("the migration was applied under its name")
    }
    try queue.read { db in
      try #expect(migrator.hasCompletedMigrations(db))
      try #expect(!migrator.hasBeenSuperseded(db))
    }
    try migrator.migrate(queue)
    // The old names are gone, so a migrator that does not know them accepts the file.
    try #expect(queue.read(migrator.appliedIdentifiers) == ["scores"])
    var later = DatabaseMigrator()
    later.registerMigration("scores") { _ in }
    try #expect(!queue.read(later.hasBeenSuperseded))
  }

  @Test func `a migration that merges none may receive the applied ones`() throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("all") { db, applied in
      #expect(applied.isEmpty)
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    try migrator.migrate(queue)
    try #expect(queue.read { db in try db.tableExists("t") })
    #expect(migrator.migrations == ["all"])
  }

  // MARK: - Erasing

  @Test func `A-066: a database that different migrations created is erased`() throws {
    let queue = try DatabaseQueue()
    try Self.migrator.migrate(queue)
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO team (name) VALUES ('Reds');
          CREATE VIRTUAL TABLE document USING fts5(text);
          DROP TABLE document;
          """
      )
    }
    var migrator = Self.migrator
    migrator.eraseDatabaseOnSchemaChange = true
    try migrator.migrate(queue)
    try #expect(queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM team") } == 1)

    var changed = DatabaseMigrator()
    changed.eraseDatabaseOnSchemaChange = true
    changed.registerMigration("teams") { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text)
      }
      try db.create(virtualTable: "document", using: "fts5(text)")
      try db.create(view: "titles", asLiteral: "SELECT title FROM team")
    }
    try #expect(queue.read(changed.hasSchemaChanges))
    try changed.migrate(queue)
    try queue.read { db in
      try #expect(db.columns(in: "team").map(\.name) == ["id", "title"])
      try #expect(!db.tableExists("player"))
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM team") == 0)
      try #expect(!changed.hasSchemaChanges(db))
    }
    // Migrating back also erases the full-text table and the view.
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(
        Set(db.schemaObjects(.table).map(\.name)) == ["team", "player", "wellspring_migrations"]
      )
      try #expect(!db.viewExists("titles"))
    }
  }

  // MARK: - Async

  @Test func `A-066: async migrations run in order`() async throws {
    let shop = try Shop()
    let progress = Recorder<Int>()
    try await Self.migrator.migrate(shop.pool) { progress.append($0.completedCount) }
    for count in [0, 1, 1, 2, 2, 3] { try await #expect(progress.nextValue() == count) }
    let result: Result<Bool, any Error> = await withCheckedContinuation { continuation in
      Self.migrator.asyncMigrate(shop.pool) { result in
        continuation.resume(
          returning: result.flatMap { db in Result { try Self.migrator.hasCompletedMigrations(db) }
          }
        )
      }
    }
    try #expect(result.get())
  }

  @Test func `a cancelled migration is rolled back, and those before it are kept`() async throws {
    let shop = try Shop()
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    var migrator = Self.migrator
    migrator.registerMigration("endless") { db in
      try db.execute(sql: "CREATE TABLE extra (a)")
      continuation.yield()
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO extra
          SELECT i FROM n WHERE i < 0
          """
      )
    }
    let endless = migrator
    let task = Task { try await endless.migrate(shop.pool) }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await shop.pool.read { db in
      try #expect(endless.appliedMigrations(db) == ["teams", "players", "scores"])
      try #expect(!db.tableExists("extra"))
    }
  }

  // MARK: - Mistakes

  @Test func `registering a name twice is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      var migrator = DatabaseMigratorTests.migrator
      migrator.registerMigration("teams") { _ in }
    }
  }

  @Test func `merging a registered migration is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      var migrator = DatabaseMigratorTests.migrator
      migrator.registerMigration("all", merging: ["teams"]) { _, _ in }
    }
  }

  @Test func `a migration that ends its transaction fails`() throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("commits") { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.commit()
    }
    let bad = migrator
    let message = "migration commits: the migration has ended its transaction"
    expectDatabaseError(.SQLITE_MISUSE, message) { try bad.migrate(queue) }
  }

  @Test func `a failing migration is named in its error, which keeps its code and its SQL`() throws
  {
    let queue = try DatabaseQueue()
    var migrator = Self.migrator
    migrator.registerMigration("add goals") { db in
      try db.execute(sql: "ALTER TABLE playr ADD COLUMN goals")
    }
    let bad = migrator
    let error = expectDatabaseError(.SQLITE_ERROR, "migration add goals: no such table: playr") {
      try bad.migrate(queue)
    }
    #expect(error?.sql == "ALTER TABLE playr ADD COLUMN goals")
  }

  // MARK: - Files of GRDB

  private static let grdbSchema = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('teams');
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
    """

  @Test(arguments: [nil, "grdb_migrations"])
  func `a migrator continues GRDB's migrations in GRDB's table`(tableName: String?) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.grdbSchema) }
    var migrator = tableName.map { DatabaseMigrator(tableName: $0) } ?? DatabaseMigrator()
    migrator.registerMigration("teams") { _ in Issue.record("it has been applied") }
    migrator.registerMigration("colors") { db in
      try db.alter(table: "team") { t in t.add(column: "color", .text) }
    }
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(migrator.hasCompletedMigrations(db))
      try #expect(
        Set(String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")) == [
          "teams", "colors",
        ]
      )
      try #expect(!db.tableExists("wellspring_migrations"))
    }
  }

  @Test func `a migrator with a table of its own does not look at GRDB's`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.grdbSchema) }
    var migrator = DatabaseMigrator(tableName: "library_migrations")
    migrator.registerMigration("books") { db in try db.execute(sql: "CREATE TABLE book (a)") }
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(migrator.appliedIdentifiers(db) == ["books"])
      try #expect(db.tableExists("library_migrations"))
    }
  }

  @Test func `schema changes are found where a connection needs a file`() throws {
    struct NeedsFile: Error {}
    let directory = TemporaryDirectory()
    let paths = Recorder<String>()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      let path = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list") ?? ""
      guard !path.isEmpty else { throw NeedsFile() }
      paths.append(path)
    }
    let queue = try DatabaseQueue(path: directory.file(), configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("a") { db in try db.execute(sql: "CREATE TABLE a (b)") }
    try migrator.migrate(queue)
    #expect(try !queue.read(migrator.hasSchemaChanges))
    try queue.write { db in try db.execute(sql: "ALTER TABLE a ADD COLUMN c") }
    #expect(try queue.read(migrator.hasSchemaChanges))
    try migrator.migrate(queue)
    #expect(try queue.read { db in try db.columns(in: "a").map(\.name) } == ["b"])
  }
}
