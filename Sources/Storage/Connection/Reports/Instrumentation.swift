internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

/// Receives the activities of a database, for logs, metrics and traces.
///
///     struct ActivityLog: DatabaseInstrument {
///       func record(_ activity: DatabaseActivity) { print(activity) }
///     }
///
///     var configuration = Configuration()
///     configuration.instruments = [ActivityLog()]
///     let pool = try DatabasePool(path: "/var/lib/shop/shop.sqlite", configuration: configuration)
///     // shop.sqlite: slow statement, 0.251 s: SELECT * FROM item ORDER BY name
///
/// Errors that an access throws are not activities: their caller decides. Failures without a caller
/// go to ``Database/reportFailure``.
public protocol DatabaseInstrument: Sendable {
  /// Receives an activity.
  ///
  /// It is called on the thread of the activity, possibly on several threads at the same time, and
  /// possibly inside an access, which waits for it. It must not use a database, and should return
  /// quickly: pass long work on to another thread.
  func record(_ activity: DatabaseActivity)
}

/// The instruments of one database, and the properties that its activities share.
///
/// A database without instruments has none of these, so that one check of an optional is all that
/// it pays.
final class Instrumentation: Sendable {
  /// The duration in nanoseconds from which on a statement is slow.
  let slowStatementThreshold: UInt64

  private let instruments: [any DatabaseInstrument]
  private let label: String?
  private let path: String
  /// Whether statements are timed by a clock that is late by some milliseconds. The exact one costs
  /// a tenth of a microsecond, twice in each statement.
  private let usesFastClock: Bool

  /// - Returns: `nil` when the configuration has no instruments.
  init?(_ configuration: Configuration, path: String) {
    guard !configuration.instruments.isEmpty else { return nil }
    instruments = configuration.instruments
    label = configuration.label
    self.path = path
    slowStatementThreshold = configuration.slowStatementThreshold.wholeNanoseconds
    usesFastClock = slowStatementThreshold >= 50_000_000
  }

  /// The time in nanoseconds, for the durations of statements.
  var statementTime: UInt64 { usesFastClock ? MonotonicClock.recent : MonotonicClock.now }

  /// Records an activity.
  func record(_ kind: DatabaseActivity.Kind) {
    let activity = DatabaseActivity(label: label, path: path, kind: kind)
    for instrument in instruments { instrument.record(activity) }
  }
}

extension Database {
  /// Records a statement that has ended, if it was slow, and a wait for a lock that it has ended.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - end: When it ended, by ``Instrumentation/statementTime``.
  ///   - instrumentation: Where to record.
  func statementDidEnd(_ statement: Statement, at end: UInt64, _ instrumentation: Instrumentation) {
    busyHandler.waitDidEnd()
    let duration = end &- statement.lastRun.startTime
    // The fast clock is late by different times.
    guard duration >= instrumentation.slowStatementThreshold, end >= statement.lastRun.startTime
    else {
      return
    }
    let slow = UnexplainedStatement(statement, Duration(clockNanoseconds: duration))
    // To explain a statement that writes sets SQLite's count of changed rows to 0.
    guard slowStatements.isEmpty, statement.isReadonly else {
      slowStatements.append(slow)
      if slowStatements.count == Self.maximumSlowStatements { recordSlowStatements(plans: false) }
      return
    }
    record(slow, plan: queryPlan(of: slow), instrumentation)
  }

  /// Records the slow statements that could not be explained before the end of the access.
  func recordSlowStatements(plans: Bool = true) {
    guard let instrumentation, !slowStatements.isEmpty else { return }
    let ended = slowStatements
    slowStatements = []
    for slow in ended { record(slow, plan: plans ? queryPlan(of: slow) : [], instrumentation) }
  }

  /// How many slow statements wait for the end of an access. If there are more, they have no plan.
  private static let maximumSlowStatements = 1000

  private func record(
    _ slow: UnexplainedStatement,
    plan: [String],
    _ instrumentation: Instrumentation
  ) {
    instrumentation.record(
      .slowStatement(
        DatabaseActivity.SlowStatement(sql: slow.sql, duration: slow.duration, plan: plan)
      )
    )
  }

  /// A slow statement that has ended, before its plan is known.
  struct UnexplainedStatement {
    let sql: String
    let duration: Duration
    let hasPlan: Bool

    fileprivate init(_ statement: Statement, _ duration: Duration) {
      sql = statement.sql
      self.duration = duration
      // SQLite carries some pragmas out as it compiles them, also in an EXPLAIN.
      hasPlan =
        !statement.isSpecial && !statement.effects.readsPragma && !statement.isExplanation
    }
  }

  /// Returns the lines of `EXPLAIN QUERY PLAN`, indented by their levels.
  ///
  /// It bypasses ``Statement``: the plan is not a statement of the access.
  private func queryPlan(of slow: UnexplainedStatement) -> [String] {
    guard slow.hasPlan else { return [] }
    var explanation: OpaquePointer?
    defer { sqlite3_finalize(explanation) }
    let sql = "EXPLAIN QUERY PLAN " + slow.sql
    guard sqlite3_prepare_v2(sqliteConnection, sql, -1, &explanation, nil) == SQLITE_OK else {
      return []
    }
    var levels: [Int32: Int] = [:]
    var lines: [String] = []
    while sqlite3_step(explanation) == SQLITE_ROW, let text = sqlite3_column_text(explanation, 3) {
      let level = levels[sqlite3_column_int(explanation, 1)].map { $0 + 1 } ?? 0
      levels[sqlite3_column_int(explanation, 0)] = level
      lines.append(String(repeating: "  ", count: level) + String(cString: text))
    }
    return lines
  }
}

extension Duration {
  /// The duration in nanoseconds: 0 for a negative duration, and the largest number for more than
  /// 500 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return .max }
    let (sum, isTooLarge) = product.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
    return isTooLarge ? .max : sum
  }

  /// Creates a duration from nanoseconds of a clock.
  init(clockNanoseconds: UInt64) {
    self = .nanoseconds(Int64(clamping: clockNanoseconds))
  }
}

extension DispatchTime {
  /// The moment after a duration from now.
  static func after(_ duration: Duration) -> DispatchTime {
    .now() + .nanoseconds(Int(clamping: duration.wholeNanoseconds))
  }
}
