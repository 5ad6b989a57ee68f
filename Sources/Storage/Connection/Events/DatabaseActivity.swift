/// Something that has happened in a database: see ``DatabaseInstrument``.
public struct DatabaseActivity: Sendable {
  /// What has happened.
  ///
  /// Later versions may add cases: give each `switch` a `default`.
  public enum Kind: Sendable {
    /// A pool or a queue was opened.
    case opened
    /// A pool or a queue was closed.
    case closed
    /// A statement has taken longer than ``Configuration/slowStatementThreshold``.
    case slowStatement(SlowStatement)
    /// A statement has waited for a lock of another connection.
    case busy(BusyWait)
    /// Pages of the WAL were copied into the database file.
    case checkpoint(Checkpoint)
    /// The WAL has passed ``Configuration/maximumWALPageCount``, and an attempt to empty it has
    /// ended.
    case walOverLimit(WALOverLimit)
    /// A query is observed from now on.
    case observationStarted(Observation)
    /// A query is no longer observed.
    case observationEnded(Observation)
    /// An observed query has failed. An error that persists is recorded once.
    case observationFailed(Observation, any Error)
    /// Observed queries have run together, in one snapshot.
    case batch(Batch)
  }

  /// The ``Configuration/label`` of the database.
  public let label: String?

  /// The path of the database; `:memory:` for a database in memory.
  public let path: String

  /// What has happened.
  public let kind: Kind

  /// Creates an activity, for example to test an instrument.
  public init(label: String? = nil, path: String, kind: Kind) {
    self.label = label
    self.path = path
    self.kind = kind
  }
}

extension DatabaseActivity: CustomStringConvertible {
  /// One line with the label, or the path, and what has happened. SQL is shown without the values
  /// of its parameters.
  public var description: String { "\(label ?? path): \(kind)" }
}

extension DatabaseActivity.Kind: CustomStringConvertible {
  /// What has happened, in one line.
  public var description: String {
    switch self {
    case .opened: "opened"
    case .closed: "closed"
    case .slowStatement(let statement): statement.description
    case .busy(let wait): wait.description
    case .checkpoint(let checkpoint): checkpoint.description
    case .walOverLimit(let state): state.description
    case .observationStarted(let observation): "observation \(observation.id) started"
    case .observationEnded(let observation): "observation \(observation.id) ended"
    case .observationFailed(let observation, let error):
      "observation \(observation.id) failed: \(error)"
    case .batch(let batch): batch.description
    }
  }
}

extension DatabaseActivity {
  /// Returns a duration as text, in seconds with three decimals.
  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let thousandths = (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    let (carry, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
    return "\(seconds + carry).\(String(rest + 1000).dropFirst()) s"
  }
}
