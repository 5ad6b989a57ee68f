internal import CWellspringSQLite

extension Database {
  /// Calls a closure for each statement that runs on this connection, or stops tracing.
  ///
  ///     configuration.prepareDatabase { db in
  ///       db.trace { print("SQL>", $0) }              // SQL> SELECT * FROM item WHERE id = ?
  ///       db.trace(options: .profile) { print($0.expandedDescription) }
  ///       // 0.153ms SELECT * FROM item WHERE id = 1
  ///     }
  ///
  /// A connection has one trace, and a new trace replaces it. Set in
  /// ``Configuration/prepareDatabase(_:)``, it sees all connections of a pool. Statements that the
  /// library runs, such as `BEGIN IMMEDIATE`, are traced too.
  ///
  /// - Parameters:
  ///   - options: The events to trace.
  ///   - trace: Called on the thread of the access, from inside SQLite: it must not use the
  ///     database. `nil` stops tracing.
  public func trace(options: TracingOptions = .statement, _ trace: ((TraceEvent) -> Void)? = nil) {
    checkAccess()
    guard let trace else {
      sqlite3_trace_v2(sqliteConnection, 0, nil, nil)
      tracer = nil
      return
    }
    let tracer = Tracer(
      ignoring: versions,
      showsArguments: configuration.publicStatementArguments,
      trace
    )
    tracer.install(on: sqliteConnection, options)
    self.tracer = tracer
  }
}
