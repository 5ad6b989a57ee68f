internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// The connections and the observation broker behind a reader or a writer.
final class DatabaseCore: ObservedDatabase, Sendable {
  /// How reads and writes share connections.
  enum Sharing {
    /// One connection does both.
    case queue
    /// One connection writes, and several read at the same time.
    case pool
  }

  let location: DatabaseLocation
  let configuration: Configuration
  /// The queue of the one connection that writes; `nil` when the database can only be read.
  let writers: ConnectionQueue?
  let readers: ConnectionQueue
  let broker: ObservationBroker
  /// The transaction observers of the writer that are to be added or removed.
  let registrations: WriterRegistrations
  /// Bounds the WAL of the file; `nil` when this database writes no file.
  let walKeeper: WALKeeper?
  /// Where the file must be; `nil` when this database writes no file.
  let fileGuard: FileIdentityGuard?
  let process = ProcessIdentity()
  /// The instruments of the database; `nil` when it has none.
  let instrumentation: Instrumentation?
  /// Whether the database was closed.
  let isClosed = Atomic(false)
  /// Lets one call at a time shut the database down.
  let shutDownTurn = DispatchSemaphore(value: 1)

  var path: String { location.path }

  /// Whether reads and writes can run at the same time.
  var isPool: Bool { writers != nil && readers !== writers }

  /// Whether the calling thread is in an access to the database.
  var isUsedByCurrentThread: Bool {
    readers.isUsedByCurrentThread || writers?.isUsedByCurrentThread == true
  }

  init(
    location: DatabaseLocation,
    configuration: Configuration,
    writers: ConnectionQueue?,
    readers: ConnectionQueue,
    broker: ObservationBroker,
    registrations: WriterRegistrations = WriterRegistrations(),
    walKeeper: WALKeeper? = nil,
    fileGuard: FileIdentityGuard? = nil,
    instrumentation: Instrumentation? = nil
  ) {
    self.location = location
    self.configuration = configuration
    self.writers = writers
    self.readers = readers
    self.broker = broker
    self.registrations = registrations
    self.walKeeper = walKeeper
    self.fileGuard = fileGuard
    self.instrumentation = instrumentation
    instrumentation?.record(.opened)
  }

  /// Opens a database.
  convenience init(
    _ location: DatabaseLocation,
    configuration: Configuration,
    sharing: Sharing
  ) throws {
    if let share = configuration.observationShare, !(share > 0 && share <= 1) {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "observationShare is \(share): a share of a core is above 0 and at most 1"
      )
    }
    // Attached files and inotify need paths that stay valid when the working directory changes.
    let location = location.resolved
    let capacity = sharing == .pool ? max(1, configuration.maximumReaderCount) : 1
    if configuration.readonly, location.isFile {
      try self.init(watching: location, configuration, capacity: capacity)
    } else {
      try self.init(opening: location, configuration, sharing, capacity: capacity)
    }
  }

  /// Opens a file to watch it, without ever writing to it.
  private convenience init(
    watching location: DatabaseLocation,
    _ configuration: Configuration,
    capacity: Int
  ) throws {
    let label = configuration.connectionLabel
    let file = FollowedFile(location.givenPath ?? location.path)
    let open: @Sendable () throws -> PooledConnection = {
      // Symbolic links may lead to another file by now.
      file.follow()
      let location = location.resolved
      try OpenDatabases.checkWAL(besideFile: location.path)
      return try PooledConnection(
        Database(location: location, configuration: configuration, role: .watcher),
        label: "\(label).reader"
      )
    }
    let instrumentation = Instrumentation(configuration, path: location.path)
    let idleCloser = IdleCloser(file)
    let readers = ConnectionQueue(
      capacity: capacity,
      open: open,
      didIdle: { idleCloser.touch($0) }
    )
    self.init(
      location: location,
      configuration: configuration,
      writers: nil,
      readers: readers,
      broker: ObservationBroker(
        watching: file,
        readers: readers,
        configuration: configuration,
        instrumentation: instrumentation
      ),
      instrumentation: instrumentation
    )
    // Fails if the file is not a database.
    do {
      try broker.snapshots.access(waitingUpTo: .seconds(1)) { _ in }
    } catch {
      try? close()
      throw error
    }
  }

  /// Opens a database for reads and writes.
  private convenience init(
    opening location: DatabaseLocation,
    _ configuration: Configuration,
    _ sharing: Sharing,
    capacity: Int
  ) throws {
    var writerConfiguration = configuration
    if sharing == .pool { writerConfiguration.journalMode = .wal }
    let writer = try OpenedWriter(location, writerConfiguration)
    let readers: ConnectionQueue
    switch sharing {
    case .queue:
      readers = writer.queue
    case .pool:
      let label = configuration.connectionLabel
      readers = ConnectionQueue(capacity: capacity) { [fileGuard = writer.fileGuard] in
        try PooledConnection(
          location.openReader(configuration, .reader, in: fileGuard),
          label: "\(label).reader"
        )
      }
      writer.walKeeper?.add(readers)
    }
    let instrumentation = Instrumentation(configuration, path: location.path)
    let broker = ObservationBroker(
      fileGuard: writer.fileGuard,
      commits: writer.commits,
      writers: writer.queue,
      readers: readers,
      configuration: configuration,
      instrumentation: instrumentation
    )
    writer.tracker.listener = broker
    self.init(
      location: location,
      configuration: configuration,
      writers: writer.queue,
      readers: readers,
      broker: broker,
      registrations: writer.registrations,
      walKeeper: writer.walKeeper,
      fileGuard: writer.fileGuard,
      instrumentation: instrumentation
    )
  }

  deinit {
    // In a forked child process, the connections belong to the parent.
    guard process.isCurrent else { return }
    // The last reference may be released during an access, so this must not wait for accesses to
    // end. Connections that cannot be closed are reported to the error log.
    broker.close()
    do { try readers.close(waits: false) } catch { ErrorLog.report(error, source: location.path) }
    do { try writers?.close(waits: false) } catch { ErrorLog.report(error, source: location.path) }
    broker.closeProbes(waits: false)
    recordClosing()
  }

  /// Closes all connections once the running accesses have ended.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when statements are still held.
  func close() throws {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    guard !isUsedByCurrentThread else {
      throw DatabaseError.misuse(
        """
        close() was called inside an access to the database, and would wait for that access to \
        end: call it after the access
        """
      )
    }
    broker.close()
    do {
      let closedReaders = Result { try readers.close(waits: true) }
      try writers?.close(waits: true)
      broker.closeProbes(waits: true)
      try closedReaders.get()
      recordClosing()
    } catch {
      // A caller that only deallocates the database afterwards may ignore the error.
      ErrorLog.report(error, source: location.path)
      throw error
    }
  }

  /// Records once that the database is closed.
  func recordClosing() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    instrumentation?.record(.closed)
  }

  /// The queue of the connection that writes, and the permissions of its accesses. In a database
  /// that was opened with ``Configuration/readonly``, the accesses of writes may only read.
  var writing: (queue: ConnectionQueue, access: Database.Access) {
    guard let writers, !configuration.readonly else { return (writers ?? readers, .read) }
    return (writers, .write)
  }

  /// Runs a closure while no reader of the pool is in use.
  ///
  /// - Parameters:
  ///   - db: The writer's connection, whose cancellation ends the wait for running reads.
  ///   - body: The closure to run.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`, or `CancellationError`.
  func withoutReaders<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    guard isPool else { return try body() }
    return try readers.withBarrier(shouldGiveUp: { db.cancellation.isRequested }) { _ in
      try db.cancellation.check()
      return try body()
    }
  }
}

extension Configuration {
  /// The prefix of the labels of connections.
  var connectionLabel: String { label ?? "wellspring" }
}
