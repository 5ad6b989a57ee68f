/// Something that has happened in a database: see ``DatabaseInstrument``.
public struct DatabaseActivity: Sendable {
  /// The kind of the activity.
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

  /// The kind of the activity.
  public let kind: Kind

  /// Creates an activity, for example to test an instrument.
  public init(label: String? = nil, path: String, kind: Kind) {
    self.label = label
    self.path = path
    self.kind = kind
  }
}

extension DatabaseActivity: CustomStringConvertible {
  /// One line with the label, or the path, and the activity. SQL is shown without the values of its
  /// parameters.
  public var description: String { "\(label ?? path): \(kind)" }
}

extension DatabaseActivity.Kind: CustomStringConvertible {
  /// The activity, in one line.
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

extension DatabaseActivity {
  /// A wait for a lock that another connection has held: see ``Configuration/busyMode``.
  ///
  /// Waits for the writer of the same pool are not among these: they are part of the access.
  public struct BusyWait: Hashable, Sendable, CustomStringConvertible {
    /// How long the connection has waited.
    public let duration: Duration

    /// Whether the lock was free in the end. Otherwise the statement has failed with
    /// `SQLITE_BUSY`, or its access was cancelled.
    public let hasEndedInTime: Bool

    /// Creates a wait, for example to test an instrument.
    public init(duration: Duration, hasEndedInTime: Bool) {
      self.duration = duration
      self.hasEndedInTime = hasEndedInTime
    }

    /// The duration and the end, in one line.
    public var description: String {
      let text = "waited \(DatabaseActivity.text(of: duration)) for a lock"
      return hasEndedInTime ? text : "\(text), and gave up"
    }
  }
}

extension DatabaseActivity {
  /// A checkpoint: see ``Database/checkpoint(_:on:)``.
  public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
    /// How far it should go.
    public let mode: Database.CheckpointMode

    /// Whether a commit has made it, because the WAL was longer than
    /// ``Database/walAutoCheckpoint()``.
    public let isAutomatic: Bool

    /// How far it got.
    public let result: Database.CheckpointResult

    /// How long it took, with all waits.
    public let duration: Duration

    /// Creates a checkpoint, for example to test an instrument.
    public init(
      mode: Database.CheckpointMode,
      isAutomatic: Bool,
      result: Database.CheckpointResult,
      duration: Duration
    ) {
      self.mode = mode
      self.isAutomatic = isAutomatic
      self.result = result
      self.duration = duration
    }

    /// The mode, the numbers of pages and the duration, in one line.
    public var description: String {
      let pages = "\(result.checkpointedFrameCount) of \(result.walFrameCount) pages"
      let text = "checkpoint (\(mode)), \(DatabaseActivity.text(of: duration)): \(pages)"
      return result.isBusy ? "\(text), blocked by other connections" : text
    }
  }
}

extension DatabaseActivity {
  /// An observed query. Observations of equal requests share one.
  public struct Observation: Hashable, Sendable {
    /// The number of the query in its database, which no later query gets.
    public let id: UInt64

    /// The SQL of its last run, without the values of its parameters. Empty before the first run.
    public let statements: [String]

    /// Creates an observation, for example to test an instrument.
    public init(id: UInt64, statements: [String] = []) {
      self.id = id
      self.statements = statements
    }
  }

  /// Observed queries that have run together, in one snapshot.
  public struct Batch: Hashable, Sendable, CustomStringConvertible {
    /// The number of queries.
    public let queryCount: Int

    /// How many of them had a new value or a new error for their subscribers.
    public let deliveryCount: Int

    /// How long the queries took together, without the wait for a reader.
    public let duration: Duration

    /// Creates a batch, for example to test an instrument.
    public init(queryCount: Int, deliveryCount: Int, duration: Duration) {
      self.queryCount = queryCount
      self.deliveryCount = deliveryCount
      self.duration = duration
    }

    /// The duration and the numbers, in one line.
    public var description: String {
      """
      batch, \(DatabaseActivity.text(of: duration)): \(queryCount) observed queries, \
      \(deliveryCount) with news
      """
    }
  }
}

extension DatabaseActivity {
  /// A statement that has taken longer than ``Configuration/slowStatementThreshold``.
  ///
  /// A slow statement that writes, and slow statements after it, are recorded when the access ends.
  /// Statements that the library runs for itself, such as a look at the schema, are recorded, too.
  public struct SlowStatement: Hashable, Sendable, CustomStringConvertible {
    /// The SQL as written, without the values of its parameters.
    public let sql: String

    /// How long the statement ran, from its first step to its end. The end of a cursor comes when
    /// its last row was read, or when the access ends, so that the time between its rows counts.
    ///
    /// It is exact to ten milliseconds when ``Configuration/slowStatementThreshold`` is 50
    /// milliseconds or more, and to the microsecond otherwise.
    public let duration: Duration

    /// How SQLite runs the statement: the lines of `EXPLAIN QUERY PLAN`, each indented by two
    /// spaces for each level. Empty for statements without a plan, such as `COMMIT`, and when an
    /// access has a thousand slow statements, and the first one writes.
    public let plan: [String]

    /// Creates a slow statement, for example to test an instrument.
    public init(sql: String, duration: Duration, plan: [String] = []) {
      self.sql = sql
      self.duration = duration
      self.plan = plan
    }

    /// The duration, the SQL and the plan, in one line.
    public var description: String {
      let sql = sql.split(whereSeparator: \.isNewline)
        .map { $0.drop(while: \.isWhitespace) }
        .joined(separator: " ")
      let plan = plan.map { String($0.drop(while: \.isWhitespace)) }.joined(separator: "; ")
      let text = "slow statement, \(DatabaseActivity.text(of: duration)): \(sql)"
      return plan.isEmpty ? text : "\(text) (\(plan))"
    }
  }
}

extension DatabaseActivity {
  /// A WAL that has passed ``Configuration/maximumWALPageCount``.
  public struct WALOverLimit: Hashable, Sendable, CustomStringConvertible {
    /// The length of the WAL in pages, when it had passed the limit.
    public let pageCount: Int

    /// The limit.
    public let limit: Int

    /// The readers that keep the WAL from being emptied: snapshots and reads by their names, or
    /// other processes. Empty when the WAL was emptied.
    public let holders: [String]

    /// Whether the WAL was emptied.
    public var isEmptied: Bool { holders.isEmpty }

    /// Creates a state, for example to test an instrument.
    public init(pageCount: Int, limit: Int, holders: [String] = []) {
      self.pageCount = pageCount
      self.limit = limit
      self.holders = holders
    }

    /// The numbers of pages and their holders, in one line.
    public var description: String {
      let text = "the WAL has passed its limit: \(pageCount) of \(limit) pages"
      return isEmptied ? "\(text), emptied" : "\(text), held by \(holders.joined(separator: ", "))"
    }
  }
}
