extension DatabaseActivity {
  /// A statement that has taken longer than ``Configuration/slowStatementThreshold``.
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
    /// spaces for each level. Empty for statements without a plan, such as `COMMIT`.
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
