extension DatabaseActivity {
  /// A statement that has taken longer than ``Configuration/slowStatementThreshold``.
  ///
  /// A statement that writes, and what is slow after it, is recorded when the access ends.
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
    /// access has a thousand slow statements, the first of which writes.
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
