/// What ``DatabaseWriter/health(checkingIntegrity:within:)`` has found out about a database.
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

  /// The write that runs; `nil` when there is none.
  public let runningWrite: Use?

  /// The running read of this pool that began first; `nil` when there is none.
  public let longestRead: Use?

  /// The oldest open ``DatabaseSnapshot`` of the file in this process; `nil` when there is none.
  public let oldestSnapshot: Use?

  /// What SQLite has found wrong in the file, if it was asked to check it: see
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
