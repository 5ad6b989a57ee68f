internal import WellspringSystem

/// A `UNION ALL` without an order and a limit: the rows of several queries, one query after the
/// other. So its result is patched by patching the results of these queries.
///
/// The text says where the queries begin and end. SQLite's query plans show whether it reads the
/// rows of each query as if the query stood alone.
struct CompoundQuery {
  /// The queries. Their parameters have the numbers that they have in the statement.
  private let texts: [String]

  /// Statements of more queries are not looked into.
  private static let maximumQueries = 16

  /// Cuts a compound statement; `nil` for another one.
  ///
  /// - Throws: ``PatchObstacle`` for a statement that is compound in another way.
  init?(_ sql: String) throws(PatchObstacle) {
    guard let content = NumberedText(sql) else { return nil }
    var queries: [Range<Int>] = []
    var start = 0
    for (index, token) in content.tokens.enumerated() where token.depth == 0 {
      switch token.keyword {
      case "UNION":
        guard content.tokens.indices.contains(index + 1), content.tokens[index + 1].keyword == "ALL"
        else { throw .isCompound }
        queries.append(start..<index)
        start = index + 2
      case "INTERSECT", "EXCEPT": throw .isCompound
      default: break
      }
    }
    guard !queries.isEmpty else { return nil }
    guard start < content.tokens.count, queries.count < Self.maximumQueries else {
      throw .isCompound
    }
    queries.append(start..<content.tokens.count)
    // The order and the limit of the last query apply to the whole statement.
    let isOrdered = queries.last?.contains { index in
      let token = content.tokens[index]
      return token.depth == 0 && ["ORDER", "LIMIT"].contains(token.keyword)
    }
    guard isOrdered == false else { throw .isCompound }
    texts = queries.map { content.text($0) }
  }

  /// Makes the statements of the queries, with the arguments and the names of the columns of the
  /// whole one. They read tables in place of views.
  ///
  /// - Parameter statement: The whole statement.
  /// - Returns: The statements.
  /// - Throws: ``PatchObstacle`` when SQLite runs a query in another way than alone.
  func statements(of statement: Statement) throws -> [Statement] {
    let db = statement.database
    return try db.unrecorded {
      let values = statement.boundValues.map { $0 ?? .null }
      let queries = try texts.map { text in
        let query = try Self.statement(text, values, db)
        return query.columnNames == statement.columnNames
          ? query : try Self.renamed(text, statement.columnNames, values, db)
      }
      let whole = try Self.plan(of: statement)
      // The first line is about the whole. Each query has a line of its own below it.
      guard let root = whole.first?.id else { throw PatchObstacle.readsInUnknownOrder }
      let lines = whole.dropFirst().split(
        omittingEmptySubsequences: false,
        whereSeparator: { $0.parent == root }
      )
      .dropFirst().map { $0.map(\.text) }
      guard try queries.map({ try Self.plan(of: $0).map(\.text) }) == Array(lines) else {
        throw PatchObstacle.readsInUnknownOrder
      }
      return try queries.map { try $0.expandingSources() }
    }
  }

  /// Gives the columns of a query other names, if the text shows all of them, and if the other
  /// clauses do not depend on the names.
  private static func renamed(
    _ text: String,
    _ names: [String],
    _ values: [DatabaseValue],
    _ db: Database
  ) throws -> Statement {
    guard let content = NumberedText(text), content.tokens.first?.keyword == "SELECT" else {
      throw PatchObstacle.isNoSelect
    }
    let cuts = try SelectCuts(content.tokens, mayBeDistinct: true)
    let scope = SelectScope(content: content, sources: [])
    let columns = content.terms(of: cuts.list) { $0.isSymbol(",") }
      .map { content.text(scope.withoutAlias($0).expression) }
    // `*` means any number of columns.
    guard columns.count == names.count, !columns.contains(where: { $0.hasSuffix("*") }) else {
      throw PatchObstacle.isCompound
    }
    let rest = content.text(cuts.list.upperBound..<content.tokens.count)
    // SQLite prefers the columns of tables to names of the result. Any other name would be a string
    // in double quotes, or the name of a result column.
    _ = try db.withoutQuotedStrings {
      try Self.statement("SELECT \(columns.joined(separator: ", ")) \(rest)", values, db)
    }
    let list = zip(columns, names).map { "\($0) AS \($1.quotedDatabaseIdentifier)" }
    let query = try Self.statement("SELECT \(list.joined(separator: ", ")) \(rest)", values, db)
    guard query.columnNames == names else { throw PatchObstacle.isCompound }
    return query
  }

  private static func statement(
    _ sql: String,
    _ values: [DatabaseValue],
    _ db: Database
  ) throws -> Statement {
    do {
      let statement = try db.makeStatement(sql: sql)
      let own = Array(values.prefix(Int(statement.parameterCount)))
      try statement.setArguments(StatementArguments(values: own, namedValues: [:]))
      return statement
    } catch is DatabaseError {
      throw PatchObstacle.cannotBeCompiled
    }
  }

  /// Returns the lines of a query plan. Subqueries have other numbers in other statements.
  private static func plan(
    of statement: Statement
  ) throws -> [(id: Int, parent: Int, text: String)] {
    let values = statement.boundValues.map { $0 ?? .null }
    return try Row.fetchAll(
      statement.database,
      sql: "EXPLAIN QUERY PLAN \(statement.sql)",
      arguments: StatementArguments(values: values, namedValues: [:])
    )
    .map { row in
      let text: String = row[3]
      let isNumbered = text.asciiLowercased.contains("subquery")
      return (row[0], row[1], isNumbered ? text.filter { !$0.isWholeNumber } : text)
    }
  }
}

/// The result of a `UNION ALL`, with the data that patches need: see ``CompoundQuery``.
///
/// It can be sent to another thread if its elements can: those of a closure are values.
struct CompoundResult<Element>: @unchecked Sendable {
  /// The values of the parameters of the whole statement.
  let arguments: [DatabaseValue]
  /// The results of the queries, whose elements are here.
  private var parts: [PatchedResult<Element>] = []
  var elements: [Element] = []
  /// Identifies this version of the elements.
  private var version = SpareElements<Element>.Version()
  /// The elements before, if they are kept.
  private let spare = SpareElements<Element>()

  /// The plans of the queries.
  var plans: [PatchPlan] { parts.map(\.plan) }

  /// The bytes that are held beside the elements.
  var memory: Int { parts.reduce(0) { $0 + $1.memory } }

  /// Runs all queries.
  ///
  /// - Parameters:
  ///   - queries: The plan of each query, and the values of its parameters.
  ///   - arguments: The values of the parameters of the whole statement.
  ///   - db: A snapshot.
  ///   - form: The form of the rows from which elements are made.
  ///   - decode: Makes an element of a row.
  /// - Throws: The error of a query.
  init(
    _ queries: [(plan: PatchPlan, arguments: [DatabaseValue])],
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping PatchedResult<Element>.Decode
  ) throws {
    self.arguments = arguments
    for query in queries {
      var part = try PatchedResult(query.plan, query.arguments, db, form, decode)
      elements += part.takeElements()
      parts.append(part)
    }
  }

  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping PatchedResult<Element>.Decode
  ) throws -> RowPatch? {
    var left: [Int] = []
    var arrived: [(index: Int, row: Int)] = []
    var rows: [Element] = []
    /// Where the rows of a query begin in the former result and in the new one.
    var (oldStart, newStart) = (0, 0)
    for index in parts.indices {
      let former = parts[index].rowCount
      guard let found = try parts[index].patchOrder(changed: changed, db, form, decode) else {
        return nil
      }
      left += found.patch.left.map { $0 + oldStart }
      let start = Fault.isOn(.patchCompound) ? oldStart : newStart
      arrived += found.patch.arrived.map { ($0.index + start, $0.row + rows.count) }
      rows += found.elements
      oldStart += former
      newStart += found.patch.count
    }
    let patch = RowPatch(left: left, arrived: arrived, count: newStart)
    spare.apply(patch, rows, to: &elements, &version)
    return patch
  }
}

extension CompoundResult: PatchedRows {
  var inputs: PatchInputs {
    parts.reduce(into: PatchInputs.none) { $0.formUnion($1.plan.inputs) }
  }
}
