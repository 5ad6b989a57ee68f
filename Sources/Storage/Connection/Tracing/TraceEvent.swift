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
