import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// One file with all its users: two pools, a pool that only watches, another process, and the
/// reference connection. In many worlds, a second file is attached to all connections except the
/// connections of the other process.
final class SimulatedWorld {
  let directory = TemporaryDirectory()
  let pool: DatabasePool
  let otherPool: DatabasePool
  let watcher: DatabasePool
  /// Another process, the plain `sqlite3` shell.
  let shell: SQLiteSession
  let oracle: Oracle
  /// The maximum number of observers at a time. Many observers cover more. With few observers, one
  /// observer hides less often what another observer misses.
  let maximumObservers: Int
  /// Whether the sizes of tables are analyzed. SQLite scans small tables where it would look up
  /// rows, so that queries over them are not patched.
  let isAnalyzed: Bool
  private(set) var schema = SimulatedSchema()

  /// The pools by name.
  var readers: [(place: String, reader: DatabasePool)] {
    [("pool", pool), ("other pool", otherPool), ("watcher", watcher)]
  }

  init(_ random: inout SeededGenerator) throws {
    maximumObservers = random.pick([2, 5, 10])!
    isAnalyzed = random.chance(20)
    let path = directory.file()
    let auxiliary = random.chance(60) ? directory.file("aux.sqlite") : nil
    if let auxiliary {
      try SQLiteShell.run(auxiliary, "PRAGMA journal_mode = wal; CREATE TABLE y (z)")
    }
    let attachment = auxiliary.map { "ATTACH '\($0)' AS aux;" } ?? ""
    var configuration = Configuration()
    configuration.synchronous = random.chance(20) ? .full : .off
    configuration.maximumReaderCount = random.number(in: 1..<4)
    // All queries that can be patched are patched, or only slow queries.
    if random.chance(80) { configuration.patchingThreshold = 0 }
    configuration.statementCacheCapacity = random.chance(30) ? 3 : 100
    // A checkpoint after each commit prolongs the time in which the commit is visible but not yet
    // announced.
    let checkpoints = random.chance(30) ? 1 : 1000
    configuration.prepareDatabase { db in
      try db.execute(sql: "\(attachment) PRAGMA wal_autocheckpoint = \(checkpoints)")
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    let statements = SchemaGenerator.creation(&random)
    try pool.write { db in
      // Statements fail if their table was not created, or if no file is attached as `aux`.
      for sql in statements { try? db.execute(sql: sql) }
    }
    otherPool = try DatabasePool(path: path, configuration: configuration)
    var watching = Configuration()
    watching.readonly = true
    watching.prepareDatabase { db in try db.execute(sql: attachment) }
    watcher = try DatabasePool(path: path, configuration: watching)
    shell = try SQLiteSession(path)
    shell.runAndWait("PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON")
    let reference = try ReferenceConnection(path: path, attaching: auxiliary)
    oracle = try Oracle(reference: reference, of: pool)
    try reloadSchema()
  }

  /// Reads the schema again.
  func reloadSchema() throws { schema = try SimulatedSchema(oracle.reference) }

  /// Whether a table has many more rows than statements leave as a rule. Results of joins would be
  /// huge.
  func isLarge() -> Bool {
    schema.ordinaryTables.contains { table in
      (try? oracle.reference.texts("SELECT count(*) > 500 FROM \(table.sql)")) == [["1"]]
    }
  }

  func close() throws {
    shell.endAndWait()
    for (_, reader) in readers { try reader.close() }
  }
}
