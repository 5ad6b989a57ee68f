import Storage
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// A database in a ``FaultyFileSystem`` with an observation, and the record of the written entries.
final class Patient {
  let system: FaultyFileSystem
  let directory: TemporaryDirectory
  let pool: any DatabaseWriter & DatabaseReader
  var path: String { directory.file() }

  private(set) var attempted: Set<Int> = []
  private(set) var acknowledged: Set<Int> = []
  private var nextNumber: Int
  /// The errors that calls have thrown.
  private(set) var errors: [any Error] = []

  // Guards the last value or error of the observation.
  private let last = Lock<Result<Int, any Error>?>(nil)
  private var cancellable: AnyDatabaseCancellable?

  /// Opens the database, whose ledger has `existing` entries.
  init(
    _ system: FaultyFileSystem,
    _ directory: TemporaryDirectory,
    journal: ForeignFile.Journal,
    existing: Set<Int>
  ) throws {
    self.system = system
    self.directory = directory
    acknowledged = existing
    attempted = existing
    nextNumber = (existing.max() ?? 0) + 1
    var configuration = Configuration()
    // Pages are written before the commit, as large transactions do.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 10") }
    let location = DatabaseLocation.uri(directory.file(), parameters: [.vfs(system.name)])
    switch journal {
    case .wal: pool = try DatabasePool(location, configuration: configuration)
    default: pool = try DatabaseQueue(location, configuration: configuration)
    }
    let last = last
    cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM ledger") ?? 0
    }.start(
      in: pool,
      onError: { error in last.withLock { $0 = .failure(error) } },
      onChange: { count in last.withLock { $0 = .success(count) } }
    )
  }

  /// Runs something that may fail. An error other than one of the database is not expected.
  func attempt(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError {
      errors.append(error)
    }
  }

  /// Runs a transaction, or something that contains one, which adds an entry of the given number.
  func commit(_ body: (_ number: Int) throws -> Void) throws {
    let number = nextNumber
    nextNumber += 1
    attempted.insert(number)
    try attempt {
      try body(number)
      acknowledged.insert(number)
    }
  }

  /// Checks the database through a connection, and that the observation has its last value.
  func checkWhileOpen() throws {
    try check(pool)
    try pool.quiesce()
    let count = try pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM ledger") ?? 0
    }
    switch last.withLock({ $0 }) {
    case .success(count): break
    case .success(let other): throw Ledger.Damage("observed \(other) instead of \(count) rows")
    case .failure(let error): throw Ledger.Damage("the observation still has the error \(error)")
    case nil: throw Ledger.Damage("the observation has no value")
    }
  }

  func close() throws {
    cancellable?.cancel()
    cancellable = nil
    try pool.close()
  }

  /// Checks that a database is intact and holds everything that was acknowledged, nothing half.
  func check(_ reader: some DatabaseReader) throws {
    try Ledger.checkIntegrity(reader)
    try checkEntries(reader)
  }

  /// Checks that a database holds everything that was acknowledged, and nothing half. An error of
  /// the file system is thrown, which `integrity_check` would report as damage.
  func checkEntries(_ reader: some DatabaseReader) throws {
    try Ledger.check(reader, acknowledged: acknowledged, attempted: attempted)
  }
}
