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
  /// Whether the last value is kept, so that a commit which changes few rows costs a patch instead
  /// of a run.
  public let isPatched: Bool
  /// Why the query cannot be patched; `nil` if it is patched, if it is too quick to be worth it, or
  /// if it is no request for rows.
  public let patchObstacle: String?
}

extension ObservationExplanation: CustomStringConvertible {
  /// A few lines of text.
  public var description: String {
    var lines = ["reads \(region?.description ?? "nothing yet")"]
    lines += statements.map { "  \($0)" }
    if isPatched {
      lines.append("is patched by the rows that change")
    } else if let patchObstacle {
      lines.append("runs as a whole, because it \(patchObstacle)")
    }
    lines += wakeUps.map { wakeUp in
      wakeUp.isUnspecific
        ? "commit \(wakeUp.number) may have touched anything"
        : "commit \(wakeUp.number) touched \(wakeUp.region)"
    }
    return lines.joined(separator: "\n")
  }
}
