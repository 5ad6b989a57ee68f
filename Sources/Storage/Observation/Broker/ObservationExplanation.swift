internal import WellspringPlatform

/// What a running observation reads, and why it has run: see ``AnyDatabaseCancellable/explain()``.
public struct ObservationExplanation: Sendable {
  /// A commit that made the query run again.
  public struct WakeUp: Hashable, Sendable {
    /// The number of the commit, or of the moment at which foreign commits were noticed.
    public let number: UInt64
    /// The part of the query's region that the commit has changed, or may have.
    public let region: DatabaseRegion
    /// Whether it is unknown what the commit has changed, as for commits of other processes and for
    /// changes of the schema.
    public let isUnspecific: Bool
  }

  /// What the query has read in its last run; `nil` before the first one.
  public let region: DatabaseRegion?
  /// The SQL of the statements of the last run, each one once, in the order in which they first
  /// ran; no more than 50.
  public let statements: [String]
  /// The last commits that made the query run again, the newest last; no more than eight.
  public let wakeUps: [WakeUp]
}

extension ObservationExplanation: CustomStringConvertible {
  /// A few lines of text.
  public var description: String {
    var lines = ["reads \(region?.description ?? "nothing yet")"]
    lines += statements.map { "  \($0)" }
    lines += wakeUps.map { wakeUp in
      wakeUp.isUnspecific
        ? "commit \(wakeUp.number) may have touched anything"
        : "commit \(wakeUp.number) touched \(wakeUp.region)"
    }
    return lines.joined(separator: "\n")
  }
}
