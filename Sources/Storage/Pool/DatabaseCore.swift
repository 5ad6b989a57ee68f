internal import Dispatch
internal import WellspringPlatform

/// What all readers and writers have in common: connections, and an observation broker.
final class DatabaseCore: Sendable {
  /// How reads and writes share connections.
  enum Sharing {
    /// One connection does both.
    case queue
    /// One connection writes, several read beside it.
    case pool
  }

  let location: DatabaseLocation
  let configuration: Configuration
  /// The connection that writes, or `nil` for what can only be read.
  let writers: ConnectionQueue?
  let readers: ConnectionQueue
  let broker: ObservationBroker
  /// Who wants to follow the transactions of the writer.
  let registrations: WriterRegistrations
  /// Keeps the WAL of a pool.
  let walKeeper: WALKeeper?
  let process = ProcessIdentity()

  var path: String { location.path }

  /// Whether reads run beside writes.
  var isPool: Bool { writers != nil && readers !== writers }

  init(
    location: DatabaseLocation,
    configuration: Configuration,
    writers: ConnectionQueue?,
    readers: ConnectionQueue,
    broker: ObservationBroker,
    registrations: WriterRegistrations = WriterRegistrations(),
    walKeeper: WALKeeper? = nil
  ) {
    self.location = location
    self.configuration = configuration
    self.writers = writers
    self.readers = readers
    self.broker = broker
    self.registrations = registrations
    self.walKeeper = walKeeper
  }

  /// Opens a database.
  convenience init(
    _ location: DatabaseLocation,
    configuration: Configuration,
    sharing: Sharing
  ) throws {
    // Attached files and inotify need names that stay true when the working directory changes.
    let location = location.resolved
    let capacity = sharing == .pool ? max(1, configuration.maximumReaderCount) : 1
    if configuration.readonly, location.isFile {
      try self.init(watching: location, configuration, capacity: capacity)
    } else {
      try self.init(opening: location, configuration, sharing, capacity: capacity)
    }
  }

  /// Opens a file that is only watched.
  private convenience init(
    watching location: DatabaseLocation,
    _ configuration: Configuration,
    capacity: Int
  ) throws {
    let label = configuration.connectionLabel
    let open: @Sendable () throws -> Connection = {
      try Connection(
        Database(location: location, configuration: configuration, role: .watcher),
        label: "\(label).reader"
      )
    }
    let idleCloser = IdleCloser(path: location.path)
    let readers = ConnectionQueue(
      capacity: capacity,
      idle: [try open()],
      open: open,
      didIdle: { idleCloser.touch($0) }
    )
    idleCloser.touch(readers)
    self.init(
      location: location,
      configuration: configuration,
      writers: nil,
      readers: readers,
      broker: ObservationBroker(
        readers: readers,
        maximumReaders: configuration.maximumReaderCount,
        source: .watch(path: location.path, configuration: configuration),
        label: label
      )
    )
  }

  /// Opens a database that is written.
  private convenience init(
    opening location: DatabaseLocation,
    _ configuration: Configuration,
    _ sharing: Sharing,
    capacity: Int
  ) throws {
    let label = configuration.connectionLabel
    var writerConfiguration = configuration
    if sharing == .pool { writerConfiguration.journalMode = .wal }
    let database = try Database(
      location: location,
      configuration: writerConfiguration,
      role: .writer
    )
    let path = location.isFile ? location.path : nil
    let commits =
      location.sharedName.map(FileCommits.shared(memoryNamed:)) ?? FileCommits.shared(path: path)
    let registrations = WriterRegistrations()
    database.hooks = ChangeTracker(
      database: database,
      commits: commits,
      registrations: registrations
    )
    let writer = Connection(database, label: "\(label).writer")
    let writers = ConnectionQueue(capacity: 1, idle: [writer]) {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "the writer opens once")
    }
    let walKeeper = WALKeeper.shared(path: path)
    walKeeper?.serve(database, writers, limit: configuration.maximumWALPageCount)
    let readers: ConnectionQueue
    switch sharing {
    case .queue:
      readers = writers
    case .pool:
      readers = ConnectionQueue(capacity: capacity) {
        try Connection(
          Database(location: location, configuration: configuration, role: .reader),
          label: "\(label).reader"
        )
      }
      walKeeper?.add(readers)
    }
    let broker = ObservationBroker(
      readers: readers,
      maximumReaders: configuration.maximumReaderCount,
      source: .own(path: path, commits: commits, writers: writers),
      label: label
    )
    self.init(
      location: location,
      configuration: configuration,
      writers: writers,
      readers: readers,
      broker: broker,
      registrations: registrations,
      walKeeper: walKeeper
    )
  }

  deinit {
    // In a child process, all of it belongs to the parent.
    guard process.isCurrent else { return }
    // The last reference may go in the middle of an access, for which this must not wait. What is left
    // open is told to the error log.
    broker.close()
    do { try readers.close(waits: false) } catch { ErrorLog.report(error) }
    do { try writers?.close(waits: false) } catch { ErrorLog.report(error) }
  }

  func close() throws {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    precondition(
      !readers.isUsedByCurrentThread && writers?.isUsedByCurrentThread != true,
      "close() was called inside of an access to the database, for which it would wait."
    )
    broker.close()
    let closedReaders = Result { try readers.close(waits: true) }
    try writers?.close(waits: true)
    try closedReaders.get()
  }

  // MARK: Accesses

  func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    return try readers.access(.read) { db in try db.readTransaction { try value(db) } }
  }

  func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    return try await readers.access(.read, AccessCancellation()) { db in
      try db.readTransaction { try value(db) }
    }
  }

  func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writable().access(.write) { db in
      try db.withTransaction(.immediate) { (.commit, try updates(db)) }
    }
  }

  func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let cancellation = AccessCancellation()
    return try await writable().access(.write, cancellation) { db in
      try db.withTransaction(.immediate, willCommit: cancellation.finish) {
        (.commit, try updates(db))
      }
    }
  }

  /// The connection that writes.
  ///
  /// - Throws: ``DatabaseError`` when nothing can be written.
  func writable() throws -> ConnectionQueue {
    guard let writers, !configuration.readonly else {
      throw DatabaseError(
        resultCode: .SQLITE_READONLY,
        message: "\(path) was opened with Configuration.readonly: it cannot be written"
      )
    }
    return writers
  }
}

extension Database {
  /// Runs a closure in a transaction that sees one state of the database.
  func readTransaction<Value>(_ value: () throws -> Value) throws -> Value {
    switch role {
    case .snapshot: return try value()
    case .watcher: try JournalGate.waitUntilOpen(path: path, cancellation)
    case .reader, .writer, .unlockedWatcher: break
    }
    return try withTransaction(.deferred) { (.commit, try value()) }
  }
}

extension Configuration {
  /// What the labels of connections begin with.
  var connectionLabel: String { label ?? "wellspring" }
}

extension ErrorLog {
  /// Tells the log of an error that nobody can be thrown.
  static func report(_ error: any Error) {
    let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_ERROR
    report(code, (error as? DatabaseError)?.message ?? String(describing: error))
  }
}
