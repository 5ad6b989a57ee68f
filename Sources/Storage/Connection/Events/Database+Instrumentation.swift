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
    instrumentation.record(
      .slowStatement(
        DatabaseActivity.SlowStatement(
          sql: statement.sql,
          duration: Duration(clockNanoseconds: duration),
          plan: queryPlan(of: statement)
        )
      )
    )
  }

  /// Returns the lines of `EXPLAIN QUERY PLAN`, indented by their levels.
  ///
  /// It bypasses ``Statement``: the plan is not a statement of the access.
  private func queryPlan(of statement: Statement) -> [String] {
    // SQLite carries some pragmas out as it compiles them, also in an EXPLAIN.
    guard !statement.isSpecial, !statement.effects.readsPragma, !statement.isExplanation else {
      return []
    }
    var explanation: OpaquePointer?
    defer { sqlite3_finalize(explanation) }
    let sql = "EXPLAIN QUERY PLAN " + statement.sql
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
