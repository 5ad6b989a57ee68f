import Storage
import Testing
import TestSupport

@testable import Replication

/// Migrations of a `DatabaseMigrator` among writes, which the copy gets as recorded transactions.
@Suite struct RandomMigrationsTests {
  /// A change that one version of an application makes.
  enum Step: String, CaseIterable, Sendable {
    case addColumn
    case dropColumn
    case renameColumn
    case renameTable
    case newTable
    case dropTable
    case newIndex
    case rebuild
    case fill
    case view
    case trigger
    case throwsInTheMiddle
  }

  /// A migration failed as it was meant to.
  struct Planned: Error {}

  // Seed 399 has noticed something before.
  @Test(arguments: [399] + Soak.seeds(1000, inSuite: 4))
  func `soak: random migrations among writes give an equal copy`(seed: UInt64) throws {
    var schema = RandomSchema(seed: seed)
    let pair = try RecordedPair(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, n);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, v);
      INSERT INTO p (name) VALUES ('a'), ('b'); INSERT INTO c (p) VALUES (1), (1), (2);
      """
    )
    var migrator = DatabaseMigrator()
    var done: [String] = []
    for version in 1...15 {
      let step = schema.random.pick(from: Step.allCases)
      let numbers = schema.random.next()
      let name = "v\(version) \(step.rawValue)"
      let checks: DatabaseMigrator.ForeignKeyChecks =
        schema.random.chance(50) ? .deferred : .immediate
      var attempt = migrator
      attempt.registerMigration(name, foreignKeyChecks: checks) { db in
        var schema = RandomSchema(seed: numbers)
        try Self.migrate(db, step, version, &schema)
      }
      do {
        try attempt.migrate(pair.primary)
        migrator = attempt
        done.append(name)
      } catch {
        // SQLite refuses some: a column that an index needs, for example. Nothing of it remains.
        done.append("\(name) failed: \(error)")
      }
      try Self.write(to: pair.primary, &schema)
      let place = "seed \(seed): \(done)"
      if let reason = pair.snapshotReason {
        #expect(RandomSchemasTests.isNamed(reason), "\(reason): \(place)")
        try pair.copyAll()
        continue
      }
      do {
        try pair.repeatAll()
      } catch {
        Issue.record("\(error) at \(place)")
        return
      }
      let contents = try [pair.primary, pair.replica].map { try $0.read(DatabaseContent.init) }
      let differences = contents[0].differences(from: contents[1])
      #expect(differences == [], "\(place)")
      guard differences.isEmpty else { return }
    }
    let applied = try pair.replica.read(migrator.appliedMigrations)
    #expect(applied == migrator.migrations)
  }

  private static func migrate(
    _ db: Database,
    _ step: Step,
    _ version: Int,
    _ schema: inout RandomSchema
  ) throws {
    let tables = try RandomSchema.tables(db).filter { !$0.name.hasSuffix("_migrations") }
    let table = schema.random.pick(from: tables)
    let name = table.name.quotedDatabaseIdentifier
    let column = schema.random.pick(from: table.columns).quotedDatabaseIdentifier
    let list = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    switch step {
    case .addColumn:
      try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN x\(version) DEFAULT 'd\(version)'")
      try db.execute(sql: "UPDATE \(name) SET x\(version) = rowid WHERE rowid % 2 = 0")
    case .dropColumn: try db.execute(sql: "ALTER TABLE \(name) DROP COLUMN \(column)")
    case .renameColumn:
      try db.execute(sql: "ALTER TABLE \(name) RENAME COLUMN \(column) TO y\(version)")
    case .renameTable: try db.execute(sql: "ALTER TABLE \(name) RENAME TO m\(version)")
    case .newTable:
      try db.execute(sql: schema.table("n\(version)", references: [table.name]))
    case .dropTable where tables.count > 2: try db.execute(sql: "DROP TABLE \(name)")
    case .newIndex: try db.execute(sql: "CREATE INDEX i\(version) ON \(name) (\(column))")
    case .rebuild:
      // The way of SQLite for changes that ALTER TABLE cannot make.
      try db.execute(
        sql: """
          CREATE TABLE new\(version) (\(list), z\(version) DEFAULT \(version));
          INSERT INTO new\(version) (\(list)) SELECT \(list) FROM \(name);
          DROP TABLE \(name); ALTER TABLE new\(version) RENAME TO \(name)
          """
      )
    case .fill, .dropTable:
      for _ in 0..<5 {
        let values = table.columns.map { _ in schema.value() }.joined(separator: ", ")
        try db.execute(sql: "INSERT OR IGNORE INTO \(name) (\(list)) VALUES (\(values))")
      }
      try db.execute(sql: "UPDATE OR IGNORE \(name) SET \(column) = \(schema.value())")
    case .view:
      try db.execute(sql: "CREATE VIEW w\(version) AS SELECT \(column) FROM \(name)")
    case .trigger:
      try db.execute(
        sql: """
          CREATE TRIGGER g\(version) AFTER INSERT ON \(name) BEGIN
            DELETE FROM \(name) WHERE \(column) IS NULL;
          END
          """
      )
    case .throwsInTheMiddle:
      try db.execute(sql: "CREATE TABLE gone\(version) (a); DELETE FROM \(name)")
      throw Planned()
    }
  }

  /// Writes rows. After a statement that fails, the rows are as SQLite leaves them.
  private static func write(to database: DatabaseQueue, _ schema: inout RandomSchema) throws {
    var random = schema
    try database.writeWithoutTransaction { db in
      for _ in 0..<6 {
        let tables = try RandomSchema.tables(db).filter { !$0.name.hasSuffix("_migrations") }
        let table = random.random.pick(from: tables)
        let name = table.name.quotedDatabaseIdentifier
        let column = random.random.pick(from: table.columns).quotedDatabaseIdentifier
        try? db.execute(
          sql: random.random.pick(
            "INSERT INTO \(name) (\(column)) VALUES (\(random.value())), (\(random.value()))",
            "UPDATE \(name) SET \(column) = \(random.value()) WHERE rowid < 3",
            "DELETE FROM \(name) WHERE \(column) = \(random.value())",
            "REPLACE INTO \(name) (\(column)) VALUES (\(random.value()))"
          )
        )
      }
    }
    schema = random
  }
}
