internal import WellspringPlatform

/// What a running observation reads, and why it has run: see ``AnyDatabaseCancellable/explain()``.
public struct ObservationExplanation: Sendable {
  /// A commit that made the query run again.
  public struct WakeUp: Hashable, Sendable {
    /// The number of the commit, or of the moment at which commits of others were noticed.
    public let number: UInt64
    /// What of the query's region the commit has changed, or may have.
    public let region: DatabaseRegion
    /// Whether nothing is known of what the commit has changed, as of those of other processes, and of
    /// changes of the schema.
    public let isUnspecific: Bool
  }

  /// What the query has read in its last run; `nil` before the first one.
  public let region: DatabaseRegion?
  /// The SQL of the statements of the last run, each one once, in the order in which they first ran; no
  /// more than 50.
  public let statements: [String]
  /// The last commits that made the query run again, the newest one last; no more than eight.
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

extension ObservationBroker {
  /// Tells what a query reads, and why it has run.
  func explain(_ query: ObservedQuery) -> ObservationExplanation {
    let (region, wakeUps) = state.withLock { state in
      (state.index.region(of: query.id), state.entries[query.id]?.wakeUps ?? [])
    }
    return ObservationExplanation(
      region: region,
      statements: query.statements,
      wakeUps: wakeUps.map { number, changes in
        let touched = DatabaseRegion(changes)
        return ObservationExplanation.WakeUp(
          number: number,
          region: touched.intersection(region ?? .fullDatabase),
          isUnspecific: touched.isFullDatabase
        )
      }
    )
  }
}
