import Storage

/// A service that stores the readings of meters, and follows their number.
public struct MeterService: Sendable {
  /// The database of the service.
  public let pool: DatabasePool

  /// Opens the database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - instruments: What logs, counts and traces.
  ///   - slowStatementThreshold: From when on a statement is slow.
  /// - Throws: `DatabaseError`.
  public init(
    path: String,
    instruments: [any DatabaseInstrument],
    slowStatementThreshold: Duration = .milliseconds(100)
  ) throws {
    var configuration = Configuration()
    configuration.label = "meters"
    configuration.instruments = instruments
    configuration.slowStatementThreshold = slowStatementThreshold
    pool = try DatabasePool(path: path, configuration: configuration)
    try Self.migrator.migrate(pool)
  }

  /// The schema. The first step also takes over a file of a version that had no migrations, and the
  /// second one only adds what an older version of the service does not need.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create readings") { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS reading (
            id INTEGER PRIMARY KEY, meter TEXT NOT NULL, value REAL NOT NULL
          )
          """
      )
    }
    migrator.registerMigration("Add times of readings") { db in
      try db.execute(sql: "ALTER TABLE reading ADD COLUMN takenAt TEXT")
    }
    return migrator
  }

  /// Stores a reading.
  public func store(_ value: Double, of meter: String) async throws {
    try await pool.write { db in
      try db.execute(
        literal: """
          INSERT INTO reading (meter, value, takenAt) VALUES (\(meter), \(value), datetime('now'))
          """
      )
    }
  }

  /// The number of readings.
  public func count() async throws -> Int {
    try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM reading") ?? 0 }
  }

  /// Reports each new number of readings, until the service shuts down.
  public func followCount(_ report: @Sendable (Int) -> Void) async throws {
    let counts = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM reading") ?? 0
    }
    for try await count in counts.values(in: pool) { report(count) }
  }

  /// Answers a health check: an HTTP status, and a line of text.
  public func answerHealthCheck() async -> (status: Int, text: String) {
    let health = await pool.health()
    return (health.isHealthy ? 200 : 503, health.description)
  }

  /// Stores what was accepted, and closes the database.
  public func shutDown(within time: Duration) async throws {
    try await pool.shutDown(within: time)
  }
}
