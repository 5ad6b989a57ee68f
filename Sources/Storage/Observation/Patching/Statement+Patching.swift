extension Statement {
  /// Why the result of the query could not be patched with its present arguments, as the end of a
  /// sentence that begins with "the query"; `nil` if it could.
  ///
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  package func patchObstacle() throws -> String? {
    do {
      try expandingSources().checkPlan()
      return nil
    } catch let obstacle as PatchObstacle {
      return obstacle.description
    }
  }

  private func checkPlan() throws {
    if let query = try NumberQuery(sql) {
      _ = try NumberResult.plan(for: query, self)
      return
    }
    if let query = try CompoundQuery(sql) {
      for statement in try query.statements(of: self) { _ = try PatchAnalysis.plan(for: statement) }
      return
    }
    do {
      _ = try PatchAnalysis.plan(for: self)
    } catch let obstacle as PatchObstacle {
      guard let query = try AggregateQuery(sql) else { throw obstacle }
      _ = try AggregateResult<Row>.plan(for: query, self)
    }
  }
}

extension Statement {
  /// Makes the statement for the rows that this one counts or groups, with the same arguments. The
  /// parameters of both have numbers.
  ///
  /// - Parameters:
  ///   - sql: The statement for the rows.
  ///   - functions: The aggregate functions of this statement, in lower case.
  ///   - columnCount: How many columns this statement should have.
  /// - Returns: The statement.
  /// - Throws: ``PatchObstacle`` when a function is replaced, or when it has other columns or
  ///   parameters.
  func rows(_ sql: String, of functions: Set<String>, columnCount: Int) throws -> Statement {
    guard self.columnCount == columnCount else { throw PatchObstacle.groupsRows }
    for function in functions {
      let isReplaced = try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT * FROM pragma_function_list WHERE lower(name) = ? AND NOT builtin
          )
          """,
        arguments: [function]
      )
      guard isReplaced == false else { throw PatchObstacle.callsFunction(function) }
    }
    let rows = try database.makeStatement(sql: sql)
    // Parameters of other clauses may follow those of the rows.
    let count = Int(rows.parameterCount)
    guard count <= parameterCount else { throw PatchObstacle.hasUnknownParameters }
    let values = boundValues.prefix(count).map { $0 ?? .null }
    try rows.setArguments(StatementArguments(values: values, namedValues: [:]))
    return rows
  }
}
