internal import CWellspringSQLite

extension Database {
  /// What ``trace(options:_:)`` tells of.
  public struct TracingOptions: OptionSet, Sendable {
    /// SQLite's mask.
    public let rawValue: UInt32

    /// Makes options from SQLite's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Each statement as it begins, those of triggers included.
    public static let statement = TracingOptions(rawValue: UInt32(SQLITE_TRACE_STMT))

    /// Each statement as it ends, and how long it took.
    public static let profile = TracingOptions(rawValue: UInt32(SQLITE_TRACE_PROFILE))
  }

  /// Calls a closure with what runs on this connection, or stops that.
  ///
  ///     configuration.prepareDatabase { db in
  ///       db.trace { print("SQL>", $0) }              // SQL> SELECT * FROM item WHERE id = ?
  ///       db.trace(options: .profile) { print($0.expandedDescription) }
  ///       // 0.153ms SELECT * FROM item WHERE id = 1
  ///     }
  ///
  /// A connection has one trace: the last one counts. In ``Configuration/prepareDatabase(_:)``, it sees all
  /// connections of a pool. What the library itself runs is seen too, such as `BEGIN IMMEDIATE`.
  ///
  /// - Parameters:
  ///   - options: What to tell of.
  ///   - trace: Called on the thread of the access, in the middle of SQLite's work: it must not use the
  ///     database. `nil` stops the trace.
  public func trace(options: TracingOptions = .statement, _ trace: ((TraceEvent) -> Void)? = nil) {
    checkAccess()
    guard let trace else {
      sqlite3_trace_v2(sqliteConnection, 0, nil, nil)
      tracer = nil
      return
    }
    let tracer = Tracer(trace)
    tracer.install(on: sqliteConnection, options)
    self.tracer = tracer
  }
}

/// Makes events of what SQLite tells.
final class Tracer {
  private let trace: (TraceEvent) -> Void

  init(_ trace: @escaping (TraceEvent) -> Void) {
    self.trace = trace
  }

  /// Starts to listen to `connection`, which must not outlive the tracer.
  func install(on connection: OpaquePointer, _ options: Database.TracingOptions) {
    sqlite3_trace_v2(
      connection,
      options.rawValue,
      { kind, context, statement, detail in
        guard let context, let statement else { return 0 }
        Unmanaged<Tracer>.fromOpaque(context).takeUnretainedValue()
          .receive(Int32(bitPattern: kind), OpaquePointer(statement), detail)
        return 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  private func receive(
    _ kind: Int32,
    _ statement: OpaquePointer,
    _ detail: UnsafeMutableRawPointer?
  ) {
    // A trace that is replaced by its own closure lives until the closure has returned.
    withExtendedLifetime(self) {
      let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
      var comment: String?
      if kind == SQLITE_TRACE_STMT, let detail {
        let text = String(cString: detail.assumingMemoryBound(to: CChar.self))
        // SQLite marks the statements of triggers so.
        if text.hasPrefix("--") { comment = text }
      }
      let expansion = TraceEvent.Expansion(
        comment != nil
          ? nil
          : {
            guard let text = sqlite3_expanded_sql(statement) else { return nil }
            defer { sqlite3_free(text) }
            return String(cString: text)
          }
      )
      defer { expansion.expire() }
      let event = TraceEvent.Statement(sql: comment ?? sql, expansion: expansion)
      if kind == SQLITE_TRACE_PROFILE, let detail {
        let nanoseconds = detail.load(as: Int64.self)
        trace(.profile(statement: event, duration: Double(nanoseconds) / 1e9))
      } else {
        trace(.statement(event))
      }
    }
  }
}
