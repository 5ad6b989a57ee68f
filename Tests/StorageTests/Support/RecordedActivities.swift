import Storage
import WellspringSystem

/// An instrument that keeps the activities of a database, so that tests can read them.
final class RecordedActivities: DatabaseInstrument {
  private let all = Lock<[DatabaseActivity]>([])
  private let isWanted: @Sendable (DatabaseActivity.Kind) -> Bool

  /// - Parameter isWanted: Whether to keep an activity.
  init(_ isWanted: @escaping @Sendable (DatabaseActivity.Kind) -> Bool = { _ in true }) {
    self.isWanted = isWanted
  }

  func record(_ activity: DatabaseActivity) {
    if isWanted(activity.kind) { all.withLock { $0.append(activity) } }
  }

  /// The activities so far.
  var kinds: [DatabaseActivity.Kind] { all.withLock { $0 }.map(\.kind) }

  /// The activities so far, as text.
  var descriptions: [String] { all.withLock { $0 }.map(\.description) }

  /// The slow statements so far.
  var slowStatements: [DatabaseActivity.SlowStatement] {
    kinds.compactMap { if case .slowStatement(let statement) = $0 { statement } else { nil } }
  }

  func removeAll() { all.withLock { $0.removeAll() } }
}

extension Configuration {
  /// A configuration with an instrument.
  static func instrumented(
    _ instrument: any DatabaseInstrument,
    slowStatementThreshold: Duration = .seconds(1000)
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "shop"
    configuration.instruments = [instrument]
    configuration.slowStatementThreshold = slowStatementThreshold
    return configuration
  }
}
