internal import WellspringSystem

/// Counts of the work of a database's observations so far.
public struct ObservationStatistics: Hashable, Sendable {
  /// Commits that were looked at, and moments at which foreign commits were noticed.
  public internal(set) var commits = 0
  /// Moments at which foreign commits were noticed.
  public internal(set) var foreignCommits = 0
  /// How often foreign commits counted as a change of everything, by the reason: why it was not
  /// known which rows they had changed.
  public internal(set) var unreadForeignCommits: [String: Int] = [:]
  /// How often a query was run as a whole, first values included.
  public internal(set) var refetches = 0
  /// How often the last value of a query was patched by the rows that had changed.
  public internal(set) var patches = 0
  /// How long queries ran after their first values, as a sum over all queries. Delivering values
  /// is not part of it.
  public internal(set) var runTime = Duration.zero
  /// Queries that a commit has touched, and that have not begun to run again: they wait for a
  /// connection, or for the end of a pause that ``Configuration/observationShare`` asks for.
  public internal(set) var waiting = 0
  /// Values and errors that were delivered.
  public internal(set) var deliveries = 0
  /// Values that were equal to the one before, and not delivered.
  public internal(set) var suppressed = 0
  /// How many bytes are held at present so that values can be patched, beside the values
  /// themselves.
  public internal(set) var patchMemory = 0
  /// How many bytes are held at present to know which pages of the file belong to which observed
  /// table, so that the pages of a foreign commit tell the rows that it has changed.
  public internal(set) var pageMemory = 0
  /// Observations that are live.
  public internal(set) var live = 0
}

/// The region of a running observation, and why it has run: see
/// ``AnyDatabaseCancellable/explain()``.
public struct ObservationExplanation: Sendable {
  /// A commit that made the query run again.
  public struct WakeUp: Hashable, Sendable {
    /// The number of the commit, or of the moment at which foreign commits were noticed.
    public let number: UInt64
    /// The part of the query's region that the commit has changed, or may have.
    public let region: DatabaseRegion
    /// Whether the changes of the commit are unknown, as for changes of the schema, and for
    /// commits of other processes whose pages could not be read.
    public let isUnspecific: Bool
    /// Why the changes of another process's commit are unknown, as the end of a sentence: "the log
    /// was overwritten before it was read". `nil` for other commits.
    public let reason: String?
  }

  /// A commit that changed a table which the query reads, and did not make it run.
  public struct SkippedCommit: Hashable, Sendable {
    /// Why the commit did not concern the query.
    public enum Reason: String, Hashable, Sendable {
      /// It changed columns that the query does not read.
      case columns
      /// It changed other rows than those whose row ids the query looks up.
      case rows
      /// It changed rows whose values, before and after, are not those that the query looks for.
      case values
    }

    /// The number of the commit.
    public let number: UInt64
    /// Why it did not concern the query.
    public let reason: Reason
  }

  /// The region of the query's last run; `nil` before the first one. The values that it looks
  /// for are part of it: `ticket(agent,title)[agent=5]`.
  public let region: DatabaseRegion?
  /// The SQL of the statements of the last run, each one once, in the order in which they first
  /// ran; no more than 50.
  public let statements: [String]
  /// The last commits that made the query run again, the newest last; no more than eight.
  public let wakeUps: [WakeUp]
  /// Commits that changed a table which the query reads, and did not make it run, the newest last:
  /// those among the last eight commits of the database.
  public let skippedCommits: [SkippedCommit]
  /// Whether the last value is kept, so that a commit which changes few rows costs a patch instead
  /// of a run.
  public let isPatched: Bool
  /// Why the next run is not a patch, as the end of a sentence that begins with "it": it "has a
  /// subquery", "is quick". `nil` if the query is patched, or has not run yet.
  public let patchObstacle: String?
  /// Why the next run of a closure runs some of its fetches as a whole, by their SQL. A reason is
  /// the end of a sentence with the subject "it". Empty for an observed request.
  public let statementObstacles: [String: String]
  /// The tables behind the patched results of the statements, by their SQL: a line for the rows of
  /// one table, and an indented line for each table whose rows belong to these. Empty unless the
  /// query is patched.
  ///
  /// ```text
  /// the rows of sale
  ///   each with a row of customer
  /// ```
  public let statementPlans: [String: String]
}

extension ObservationExplanation: CustomStringConvertible {
  /// A few lines of text.
  public var description: String {
    var lines = ["reads \(region?.description ?? "nothing yet")"]
    for statement in statements {
      let obstacle = isPatched ? statementObstacles[statement] : nil
      lines.append(
        "  \(statement)" + (obstacle.map { " (runs as a whole, because it \($0))" } ?? "")
      )
      let plan = statementPlans[statement]?.split(separator: "\n") ?? []
      lines += plan.map { "    \($0)" }
    }
    if isPatched {
      lines.append("is patched by the rows that change")
    } else if let patchObstacle {
      lines.append("runs as a whole, because it \(patchObstacle)")
    }
    lines += wakeUps.map { wakeUp in
      wakeUp.isUnspecific
        ? "commit \(wakeUp.number) may have touched anything"
          + (wakeUp.reason.map { ": \($0)" } ?? "")
        : "commit \(wakeUp.number) touched \(wakeUp.region)"
    }
    lines += skippedCommits.map { "commit \($0.number) was skipped: it has other \($0.reason)" }
    return lines.joined(separator: "\n")
  }
}
