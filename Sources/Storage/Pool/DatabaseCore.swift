internal import Dispatch
internal import WellspringPlatform

/// What ``DatabasePool`` and ``DatabaseQueue`` have in common: connections, and an observation broker.
final class DatabaseCore: Sendable {
  /// How reads and writes share connections.
  enum Sharing {
    /// One connection does both.
    case queue
    /// One connection writes, several read beside it.
    case pool
  }

  let path: String
  let configuration: Configuration
  /// The connection that writes, or `nil` for a file that is only watched.
  let writers: ConnectionQueue?
  let readers: ConnectionQueue
  let broker: ObservationBroker
  /// Who wants to follow the transactions of the writer.
  let registrations = WriterRegistrations()

  init(path: String, configuration: Configuration, sharing: Sharing) throws {
    // Attached files and inotify need names that stay true when the working directory changes.
    let isFile = !path.isEmpty && path != ":memory:"
    let path = isFile ? FilePath.resolved(path) : path
    let label = configuration.label ?? "wellspring"
    self.path = path
    self.configuration = configuration

    if configuration.readonly {
      let first = try Connection(
        Database(path: path, configuration: configuration, role: .watcher),
        label: "\(label).reader"
      )
      let idleCloser = IdleCloser(path: path)
      writers = nil
      readers = ConnectionQueue(
        capacity: sharing == .pool ? configuration.maximumReaderCount : 1,
        idle: [first],
        open: {
          try Connection(
            Database(path: path, configuration: configuration, role: .watcher),
            label: "\(label).reader"
          )
        },
        didIdle: { idleCloser.touch($0) }
      )
      idleCloser.touch(readers)
      broker = ObservationBroker(
        readers: readers,
        maximumReaders: configuration.maximumReaderCount,
        source: .watch(path: path, configuration: configuration),
        label: label
      )
      return
    }

    var writerConfiguration = configuration
    if sharing == .pool { writerConfiguration.journalMode = .wal }
    let database = try Database(path: path, configuration: writerConfiguration, role: .writer)
    let commits = FileCommits.shared(path: isFile ? path : nil)
    let tracker = ChangeTracker(
      database: database,
      commits: commits,
      registrations: registrations
    )
    database.hooks = tracker
    let writer = Connection(database, label: "\(label).writer")
    let writers = ConnectionQueue(capacity: 1, idle: [writer]) {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "the writer opens once")
    }
    self.writers = writers
    switch sharing {
    case .queue:
      readers = writers
    case .pool:
      readers = ConnectionQueue(capacity: max(1, configuration.maximumReaderCount)) {
        try Connection(
          Database(path: path, configuration: configuration, role: .reader),
          label: "\(label).reader"
        )
      }
    }
    broker = ObservationBroker(
      readers: readers,
      maximumReaders: configuration.maximumReaderCount,
      source: .own(path: isFile ? path : nil, commits: commits, writers: writers),
      label: label
    )
  }

  deinit {
    // The last reference may go in the middle of an access, for which this must not wait.
    broker.close()
    readers.close(waits: false)
    writers?.close(waits: false)
  }

  func close() {
    precondition(
      !readers.isUsedByCurrentThread && writers?.isUsedByCurrentThread != true,
      "close() was called inside of an access to the database, for which it would wait."
    )
    broker.close()
    readers.close(waits: true)
    writers?.close(waits: true)
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

  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writable().access(.write, updates)
  }

  private func writable() throws -> ConnectionQueue {
    guard let writers else {
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
    if role == .watcher { try JournalGate.waitUntilOpen(path: path, cancellation) }
    return try withTransaction(.deferred) { (.commit, try value()) }
  }
}
