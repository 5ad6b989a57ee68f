internal import CWellspringSQLite

extension Database {
  /// The events that ``trace(options:_:)`` reports.
  public struct TracingOptions: OptionSet, Sendable {
    /// SQLite's mask.
    public let rawValue: UInt32

    /// Creates options from SQLite's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Each statement as it begins, including the statements of triggers.
    public static let statement = TracingOptions(rawValue: UInt32(SQLITE_TRACE_STMT))

    /// Each statement as it ends, with its duration.
    public static let profile = TracingOptions(rawValue: UInt32(SQLITE_TRACE_PROFILE))
  }
}

/// An event that ``Database/trace(options:_:)`` reports.
///
/// Its ``description`` shows the SQL as written, without the values of its parameters, because they
/// may hold personal data, unless ``Configuration/publicStatementArguments`` is set.
/// ``expandedDescription`` shows the values.
public enum TraceEvent: CustomStringConvertible {
  /// A statement begins.
  case statement(Statement)
  /// A statement has ended. `duration` is in seconds.
  case profile(statement: Statement, duration: Double)

  /// The statement of an event.
  public struct Statement: CustomStringConvertible {
    /// The SQL as written, with placeholders for its values. For a statement of a trigger, a
    /// comment that names the trigger.
    public let sql: String

    private let expansion: Expansion
    private let showsArguments: Bool

    init(sql: String, expansion: Expansion, showsArguments: Bool) {
      self.sql = sql
      self.expansion = expansion
      self.showsArguments = showsArguments
    }

    /// The SQL with the values of its parameters. It equals ``sql`` after the closure of the trace
    /// has returned, and for statements of triggers.
    public var expandedSQL: String { expansion.text() ?? sql }

    /// The SQL as written, or with the values of its parameters if
    /// ``Configuration/publicStatementArguments`` is set.
    public var description: String { showsArguments ? expandedSQL : sql }
  }

  /// Makes the SQL with values, as long as SQLite's statement exists.
  final class Expansion {
    private var makeText: (() -> String?)?

    init(_ makeText: (() -> String?)?) {
      self.makeText = makeText
    }

    func text() -> String? { makeText?() }
    func expire() { makeText = nil }
  }

  /// The SQL as written, or with the values of its parameters if
  /// ``Configuration/publicStatementArguments`` is set. For a profile, the duration precedes it.
  public var description: String { text(\.description) }

  /// The SQL with the values of its parameters. For a profile, the duration precedes it.
  public var expandedDescription: String { text(\.expandedSQL) }

  private func text(_ sql: (Statement) -> String) -> String {
    switch self {
    case .statement(let statement): sql(statement)
    case .profile(let statement, let duration): "\(Self.text(of: duration)) \(sql(statement))"
    }
  }

  /// Returns a duration in seconds as text, with three decimals and a unit.
  static func text(of duration: Double) -> String {
    let (value, unit) =
      duration >= 1
      ? (duration, "s") : duration >= 1e-3 ? (duration * 1e3, "ms") : (duration * 1e6, "µs")
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)\(unit)"
  }
}

extension Database {
  /// An event that ``trace(options:_:)`` reports.
  public typealias TraceEvent = Storage.TraceEvent
}

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
