internal import CWellspringSQLite

/// Receives SQLite's trace callbacks, and passes them on as ``TraceEvent``s.
final class Tracer {
  private let trace: (TraceEvent) -> Void
  /// Its statements are not traced: the library runs one in each read.
  private let versions: DatabaseVersions
  /// Whether the descriptions of events show the values of parameters.
  private let showsArguments: Bool

  init(
    ignoring versions: DatabaseVersions,
    showsArguments: Bool,
    _ trace: @escaping (TraceEvent) -> Void
  ) {
    self.versions = versions
    self.showsArguments = showsArguments
    self.trace = trace
  }

  /// Installs the tracer on `connection`, which must not outlive the tracer.
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
    guard !versions.owns(statement) else { return }
    // The closure may replace its own trace, which must live until the closure has returned.
    withExtendedLifetime(self) {
      let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
      var comment: String?
      if kind == SQLITE_TRACE_STMT, let detail {
        let text = String(cString: detail.assumingMemoryBound(to: CChar.self))
        // For a statement of a trigger, SQLite passes a comment that names the trigger.
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
      let event = TraceEvent.Statement(
        sql: comment ?? sql,
        expansion: expansion,
        showsArguments: showsArguments
      )
      if kind == SQLITE_TRACE_PROFILE, let detail {
        let nanoseconds = detail.load(as: Int64.self)
        trace(.profile(statement: event, duration: Double(nanoseconds) / 1e9))
      } else {
        trace(.statement(event))
      }
    }
  }
}
