internal import WellspringSystem

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
    // Parameters of other clauses may follow the parameters of the rows.
    let count = Int(rows.parameterCount)
    guard count <= parameterCount else { throw PatchObstacle.hasUnknownParameters }
    let values = boundValues.prefix(count).map { $0 ?? .null }
    try rows.setArguments(StatementArguments(values: values, namedValues: [:]))
    return rows
  }
}

extension Statement {
  /// Returns a statement with the same rows that reads tables in place of views, common table
  /// expressions and subqueries in the `FROM`; the statement itself if it reads only tables.
  ///
  /// The new text is right because SQLite compiles both texts to the same program, whose cursors
  /// alone may have other numbers.
  ///
  /// - Throws: ``PatchObstacle`` when a source cannot be replaced by its tables.
  func expandingSources() throws -> Statement {
    let db = database
    return try db.unrecorded {
      let schema = try db.currentRegionSchema()
      guard try mayHaveOtherSources(schema) else { return self }
      let select = try ExpandedSelect(sql, columnNames: columnNames, schema, db)
      guard select.isExpanded else { return self }
      // SQLite may refuse the text, and a text of the program may not be UTF-8.
      guard let statement = try? sameStatement(select.sql) else {
        throw PatchObstacle.readsOtherSource
      }
      return statement
    }
  }

  /// Compiles another text; `nil` if SQLite compiles it to another program.
  private func sameStatement(_ text: String) throws -> Statement? {
    let db = database
    let statement = try db.withoutQuotedStrings { try db.makeStatement(sql: text) }
    guard statement.parameterCount == parameterCount, statement.columnNames == columnNames else {
      return nil
    }
    let values = boundValues.map { $0 ?? .null }
    let arguments = StatementArguments(values: values, namedValues: [:])
    try statement.setArguments(arguments)
    let programs = try [sql, text].map { try CompiledProgram($0, arguments, db) }
    return programs[0] == programs[1] || Fault.isOn(.patchExpansion) ? statement : nil
  }

  /// Returns whether the text may name something else than tables in its `FROM`.
  private func mayHaveOtherSources(_ schema: RegionSchema) throws -> Bool {
    guard let content = NumberedText(sql), let first = content.tokens.first else { return false }
    if first.keyword == "WITH" { return true }
    guard first.keyword == "SELECT",
      let cuts = try? SelectCuts(content.tokens, mayBeDistinct: true),
      let sources = try? SelectSource.sources(in: content, cuts.source)
    else { return false }
    return sources.contains { source in
      guard let table = source.table else { return true }
      let name = content.written(table).withoutQuotes.asciiLowercased
      let found = schema.tables(named: name)
      return found.count == 1 && found[0].kind == .view
    }
  }
}

/// The program to which SQLite compiles a statement, to compare it with another one.
///
/// The numbers of cursors follow the sources of the text. Cursors with different numbers are equal
/// when they are the same operands of the same instructions.
private struct CompiledProgram: Equatable {
  private struct Instruction: Equatable {
    let opcode: String
    var operands: [Int64]
    let data: String
    let flags: Int64
  }

  private var instructions: [Instruction] = []

  init(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
    let statement = try db.makeStatement(sql: "EXPLAIN \(sql)")
    try statement.setArguments(arguments)
    var numbers: [Int64: Int64] = [:]
    let rows = RowCursor(statement)
    while let row = try rows.next() {
      let opcode = try row.decode(String.self, atIndex: 1)
      var operands = try (2...4).map { try row.decode(Int64.self, atIndex: $0) }
      for index in Self.cursors(of: opcode) {
        let number = numbers[operands[index]] ?? Int64(numbers.count)
        numbers[operands[index]] = number
        operands[index] = number
      }
      // The text of the statement or the name of a parameter may stand there.
      let hasText = ["Explain", "Init", "Trace", "Variable"].contains(opcode)
      var data = ""
      if !hasText, let text = try row.decode(String?.self, atIndex: 5) { data = text }
      // Comparisons without a collation compare bytes.
      if ExplainedProgram.comparisons.contains(opcode), data.hasPrefix("BINARY-") { data = "" }
      instructions.append(
        Instruction(
          opcode: opcode,
          // An instruction that does nothing may keep the operands of an instruction that was
          // removed.
          operands: ["Explain", "Noop"].contains(opcode) ? [] : operands,
          data: data,
          flags: try row.decode(Int64.self, atIndex: 6)
        )
      )
    }
  }

  /// The indexes of the operands that are cursors.
  private static func cursors(of opcode: String) -> [Int] {
    switch opcode {
    case "DeferredSeek", "SorterData": [0, 2]
    case "OpenDup": [0, 1]
    case _ where ExplainedProgram.usesNoCursor.contains(opcode): []
    default: [0]
    }
  }
}
