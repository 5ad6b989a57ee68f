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
