extension Database {
  /// Runs a closure in a transaction that sees one state of the database.
  ///
  /// A snapshot is always in such a transaction. A watcher first waits until no rollback journal
  /// exists, because its read would make the commit of another process fail.
  func readTransaction<Value>(_ value: () throws -> Value) throws -> Value {
    switch role {
    case .snapshot: return try value()
    case .watcher: try JournalGate.waitUntilOpen(path: path, cancellation)
    case .reader, .writer, .unlockedWatcher: break
    }
    return try withTransaction(.deferred) { (.commit, try value()) }
  }
}
