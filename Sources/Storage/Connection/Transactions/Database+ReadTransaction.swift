extension Database {
  /// Runs a closure in a transaction that sees one state of the database.
  ///
  /// A snapshot is always in such a transaction. A watcher first waits until no rollback journal
  /// exists, because its read would make the commit of another process fail.
  ///
  /// - Parameters:
  ///   - takesSnapshot: Whether the snapshot of a file is taken immediately, and not by the first
  ///     read of `value`: `BEGIN DEFERRED` takes none.
  ///   - willCommit: Called when `value` has returned.
  ///   - value: What to run.
  /// - Returns: What `value` returns.
  /// - Throws: What `value` and `willCommit` throw, or ``DatabaseError``.
  func readTransaction<Value>(
    takesSnapshot: Bool = true,
    willCommit: () throws -> Void = {},
    _ value: () throws -> Value
  ) throws -> Value {
    switch role {
    case .snapshot: return try value()
    case .watcher: try JournalGate.waitUntilOpen(path: path, cancellation)
    case .reader, .writer, .unlockedWatcher: break
    }
    return try withTransaction(.deferred, willCommit: willCommit) {
      if takesSnapshot, location.isFile || !attached.isEmpty { try takeSnapshot() }
      return (.commit, try value())
    }
  }
}
