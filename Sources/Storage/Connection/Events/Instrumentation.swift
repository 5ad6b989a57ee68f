internal import WellspringPlatform

/// The instruments of one database, and what its activities have in common.
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
