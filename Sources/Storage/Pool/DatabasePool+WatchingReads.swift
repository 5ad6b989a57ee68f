// Reads of a file that is only watched, like the reads of an observed query.

extension DatabasePool {
  /// Reads in a transaction, like a query that is observed: a file that is only watched is read
  /// without locks, which would make a commit of another process fail.
  ///
  /// Such a read is repeated if the file was written meanwhile. So the closure may be called
  /// several times, must change nothing, and only its last call counts.
  ///
  /// - Parameter value: The read.
  /// - Returns: The result of the last call.
  /// - Throws: The errors of the last call, or ``DatabaseError``.
  package func watchingRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.broker.snapshots.access { db in try db.readTransaction { try value(db) } }
  }

  /// Reads without a transaction, and otherwise like ``watchingRead(_:)``.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the end of a transaction of another process. After that,
  ///     the file is read with locks.
  ///   - value: The read.
  /// - Returns: The result of the last call.
  /// - Throws: The errors of the last call, or ``DatabaseError``.
  package func unsafeWatchingRead<Value>(
    waitingUpTo patience: Duration,
    _ value: (Database) throws -> Value
  ) throws -> Value {
    try core.broker.snapshots.access(waitingUpTo: patience) { db in
      try db.leavingNoTransaction { try value(db) }
    }
  }
}

extension DatabaseLocation {
  /// Opens a connection that reads a database beside the connection that writes it.
  ///
  /// - Parameters:
  ///   - configuration: How to open it.
  ///   - role: The purpose of the connection.
  ///   - fileGuard: The guard of the file; `nil` for a database without a file.
  /// - Returns: The connection.
  /// - Throws: ``DatabaseError``, with `SQLITE_READONLY_DBMOVED` when the file is no longer at its
  ///   path.
  func openReader(
    _ configuration: Configuration,
    _ role: Database.Role,
    in fileGuard: FileIdentityGuard?
  ) throws -> Database {
    guard let fileGuard else {
      return try Database(location: self, configuration: configuration, role: role)
    }
    return try fileGuard.open { didOpen in
      try Database(location: self, configuration: configuration, role: role, didOpen: didOpen)
    }
  }
}
