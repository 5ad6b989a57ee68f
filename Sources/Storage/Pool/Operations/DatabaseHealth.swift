internal import Dispatch
internal import WellspringSystem

/// The findings of ``DatabaseWriter/health(checkingIntegrity:within:)`` about a database.
public struct DatabaseHealth: Sendable {
  /// Something that runs, or is open, for some time.
  public struct Use: Hashable, Sendable {
    /// The name of a connection, which begins with ``Configuration/label``, or of a snapshot.
    public let name: String

    /// For how long, to within ten milliseconds.
    public let duration: Duration

    /// Creates a use, for example to test a report.
    public init(name: String, duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// Why no write could begin within the time limit; `nil` when one could.
  ///
  /// The code is `SQLITE_BUSY` when other writes took all of the time, and
  /// `SQLITE_READONLY_DBMOVED` when the file was moved, removed or replaced. A full disk is not
  /// noticed before something is written. A database that was opened with
  /// ``Configuration/readonly`` has `SQLITE_READONLY` when it can be read.
  public let writeError: (any Error)?

  /// Whether ``writeError`` only says that the database was opened with ``Configuration/readonly``.
  let isReadonlyAsConfigured: Bool

  /// The size of the WAL in bytes; 0 without one.
  public let walSize: Int

  /// The write that runs; `nil` when no write runs.
  public let runningWrite: Use?

  /// The running read of this pool that began first; `nil` when no read runs.
  public let longestRead: Use?

  /// The oldest open ``DatabaseSnapshot`` of the file in this process; `nil` when none is open.
  public let oldestSnapshot: Use?

  /// The defects that SQLite has found in the file, if it was asked to check it: see
  /// ``Database/integrityViolations(in:limit:)``. `nil` when it was not asked.
  public let integrityViolations: [String]?

  /// Why integrity could not be checked, such as a file that SQLite cannot read.
  public let integrityError: (any Error)?

  /// Whether a write could begin within the time limit.
  public var isWritable: Bool { writeError == nil }

  /// Whether a write could begin, or a read in a database that was opened with
  /// ``Configuration/readonly``; and no damage was found.
  public var isHealthy: Bool {
    (isWritable || isReadonlyAsConfigured) && integrityError == nil
      && integrityViolations?.isEmpty != false
  }
}

extension DatabaseHealth: CustomStringConvertible {
  /// One line with all of it.
  public var description: String {
    let access =
      isReadonlyAsConfigured
      ? "read-only" : writeError.map { "not writable: \($0)" } ?? "writable"
    var parts = [access, "WAL \(walSize) bytes"]
    let uses = [
      ("running write", runningWrite), ("longest read", longestRead),
      ("oldest snapshot", oldestSnapshot),
    ]
    for case (let what, let use?) in uses {
      parts.append("\(what) \(use.name) \(DatabaseActivity.text(of: use.duration))")
    }
    if let integrityError { parts.append("integrity unknown: \(integrityError)") }
    if let integrityViolations {
      parts.append(
        integrityViolations.isEmpty
          ? "intact" : "damaged: \(integrityViolations.joined(separator: "; "))"
      )
    }
    return parts.joined(separator: ", ")
  }
}

extension DatabaseWriter {
  /// Checks the state of the database, for the health check of a service.
  ///
  ///     let health = await pool.health()
  ///     respond(with: health.isHealthy ? .ok : .serviceUnavailable)
  ///
  /// It returns in little more than the time limit, whatever other accesses do: a write that runs
  /// for longer makes the database count as not writable. Nothing is written, and observers of
  /// transactions receive nothing.
  ///
  /// - Parameters:
  ///   - checkingIntegrity: Whether SQLite checks the file, which reads all of it and has no time
  ///     limit. Cancelling the task stops the check.
  ///   - limit: How long to wait until a write can begin.
  /// - Returns: The findings.
  public func health(
    checkingIntegrity: Bool = false,
    within limit: Duration = .seconds(1)
  ) async -> DatabaseHealth {
    let core = observableCore
    // The running accesses are read first: a long access may end while the write is awaited.
    let uses = core.uses
    let writeError = await core.writeError(within: limit)
    var violations: [String]?
    var integrityError: (any Error)?
    if checkingIntegrity {
      do {
        violations = try await unsafeRead { db in try db.integrityViolations() }
      } catch {
        integrityError = error
      }
    }
    return DatabaseHealth(
      writeError: writeError,
      isReadonlyAsConfigured: core.configuration.readonly
        && (writeError as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY,
      walSize: core.walSize,
      runningWrite: uses.write,
      longestRead: uses.read,
      oldestSnapshot: uses.snapshot,
      integrityViolations: violations,
      integrityError: integrityError
    )
  }
}

extension DatabaseCore {
  /// The size of the WAL in bytes; 0 without one.
  var walSize: Int {
    guard location.isFile else { return 0 }
    return Int(FileStatus(path: path + "-wal")?.size ?? 0)
  }

  /// The running write, and the oldest read and snapshot.
  var uses: (write: DatabaseHealth.Use?, read: DatabaseHealth.Use?, snapshot: DatabaseHealth.Use?) {
    let now = MonotonicClock.now
    func use(_ oldest: (label: String, start: UInt64)?) -> DatabaseHealth.Use? {
      oldest.map {
        let duration = max(now, $0.start) - $0.start
        return DatabaseHealth.Use(name: $0.label, duration: Duration(clockNanoseconds: duration))
      }
    }
    return (
      write: use(writers?.oldestAccess(.write)),
      read: use(readers.oldestAccess(.read)),
      snapshot: use(walKeeper?.oldestSnapshot)
    )
  }

  /// Returns why no write can begin within a time limit; `nil` when one can.
  func writeError(within limit: Duration) async -> (any Error)? {
    let (queue, access) = writing
    let cancellation = AccessCancellation()
    // The threads of the global queue may all be in use, but a queue of its own always gets one.
    let timer = DispatchQueue(label: "\(configuration.connectionLabel).health")
    timer.asyncAfter(deadline: .after(limit)) { cancellation.cancel() }
    let fileGuard = broker.snapshots.fileGuard
    do {
      return try await queue.access(access, cancellation) { db -> (any Error)? in
        fileGuard?.check()
        if let error = fileGuard?.error { throw error }
        guard access == .write else { return try db.errorAfterReading() }
        try db.checkThatAWriteCanBegin()
        return nil
      }
    } catch let error as CancellationError {
      if Task.isCancelled { return error }
      return DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: "no write could begin within \(DatabaseActivity.text(of: limit))"
      )
    } catch {
      return error
    }
  }
}

extension ConnectionQueue {
  /// Returns the running access of a kind that began first: its connection and its start.
  fileprivate func oldestAccess(_ kind: Database.Access) -> (label: String, start: UInt64)? {
    state.withLock { state in
      state.borrowed
        .compactMap { connection in
          connection.start(of: kind).map { (connection.label, $0) }
        }
        .min { $0.1 < $1.1 }
    }
  }
}

extension Database {
  /// Reads from the file, and returns the error of a write.
  fileprivate func errorAfterReading() throws -> DatabaseError {
    _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema")
    return readonlyError()
  }

  /// Takes the write lock, and gives it back.
  fileprivate func checkThatAWriteCanBegin() throws {
    transactionState.isHealthCheck = true
    defer { transactionState.isHealthCheck = false }
    try beginTransaction(.immediate)
    try rollback()
  }
}

extension DatabaseCore {
  /// Releases memory once the running accesses have ended.
  func releaseMemory() {
    guard !isUsedByCurrentThread else {
      // The access cannot wait for its own end.
      return releaseMemoryEventually()
    }
    // A closed database holds no memory to release.
    try? writers?.access(.write) { $0.releaseMemory() }
    guard isPool else { return }
    readers.withBarrier { _ in }
    releaseReaders()
  }

  /// Releases memory on another thread.
  func releaseMemoryEventually() {
    if let writers {
      writers.submit(.write) {
        $0.releaseMemory()
      } completion: { _ in
      }
    }
    // Readers in use keep their memory until the next call.
    if isPool { releaseReaders() }
  }

  private func releaseReaders() {
    if configuration.persistentReadOnlyConnections {
      readers.forEachIdle { $0.releaseMemory() }
    } else {
      readers.closeIdle()
    }
  }
}
