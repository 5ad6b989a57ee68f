internal import CWellspringSQLite

extension Database {
  /// Records a statement that has ended, if it was slow, and a wait for a lock that it has ended.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - end: When it ended, by ``Instrumentation/statementTime``.
  ///   - instrumentation: Where to record.
  func statementDidEnd(_ statement: Statement, at end: UInt64, _ instrumentation: Instrumentation) {
    busyHandler.waitDidEnd()
    let duration = end &- statement.startTime
    // The fast clock is late by different times.
    guard duration >= instrumentation.slowStatementThreshold, end >= statement.startTime else {
      return
    }
    let slow = UnexplainedStatement(statement, Duration(clockNanoseconds: duration))
    // To explain a statement that writes sets SQLite's count of changed rows to 0.
    guard slowStatements.isEmpty, statement.isReadonly else {
      slowStatements.append(slow)
      if slowStatements.count == Self.maximumSlowStatements { recordSlowStatements(plans: false) }
      return
    }
    record(slow, plan: queryPlan(of: slow), instrumentation)
  }

  /// Records the slow statements that could not be explained before the end of the access.
  func recordSlowStatements(plans: Bool = true) {
    guard let instrumentation, !slowStatements.isEmpty else { return }
    let ended = slowStatements
    slowStatements = []
    for slow in ended { record(slow, plan: plans ? queryPlan(of: slow) : [], instrumentation) }
  }

  /// How many slow statements wait for the end of an access. If there are more, they have no plan.
  private static let maximumSlowStatements = 1000

  private func record(
    _ slow: UnexplainedStatement,
    plan: [String],
    _ instrumentation: Instrumentation
  ) {
    instrumentation.record(
      .slowStatement(
        DatabaseActivity.SlowStatement(sql: slow.sql, duration: slow.duration, plan: plan)
      )
    )
  }

  /// A slow statement that has ended, before its plan is known.
  struct UnexplainedStatement {
    let sql: String
    let duration: Duration
    let hasPlan: Bool

    fileprivate init(_ statement: Statement, _ duration: Duration) {
      sql = statement.sql
      self.duration = duration
      // SQLite carries some pragmas out as it compiles them, also in an EXPLAIN.
      hasPlan =
        !statement.isSpecial && !statement.effects.readsPragma && !statement.isExplanation
    }
  }

  /// Returns the lines of `EXPLAIN QUERY PLAN`, indented by their levels.
  ///
  /// It bypasses ``Statement``: the plan is not a statement of the access.
  private func queryPlan(of slow: UnexplainedStatement) -> [String] {
    guard slow.hasPlan else { return [] }
    var explanation: OpaquePointer?
    defer { sqlite3_finalize(explanation) }
    let sql = "EXPLAIN QUERY PLAN " + slow.sql
    guard sqlite3_prepare_v2(sqliteConnection, sql, -1, &explanation, nil) == SQLITE_OK else {
      return []
    }
    var levels: [Int32: Int] = [:]
    var lines: [String] = []
    while sqlite3_step(explanation) == SQLITE_ROW, let text = sqlite3_column_text(explanation, 3) {
      let level = levels[sqlite3_column_int(explanation, 1)].map { $0 + 1 } ?? 0
      levels[sqlite3_column_int(explanation, 0)] = level
      lines.append(String(repeating: "  ", count: level) + String(cString: text))
    }
    return lines
  }
}
