internal import WellspringSystem

/// Reads statements, and replaces their sources by the tables that these read.
struct SelectReader {
  let schema: RegionSchema
  let db: Database
  /// The names of the result columns of the statement itself.
  let columnNames: [String]

  /// Views may read views.
  private static let maximumDepth = 8

  func select(
    _ sql: String,
    _ expressions: [String: TableExpression],
    depth: Int
  ) throws -> ExpandedSelect {
    guard depth < Self.maximumDepth, let content = NumberedText(sql) else {
      throw PatchObstacle.readsOtherSource
    }
    guard content.tokens.first?.keyword != "WITH" else {
      let (body, all) = try Self.tableExpressions(content, expressions)
      return try select(body, all, depth: depth)
    }
    guard content.tokens.first?.keyword == "SELECT" else { throw PatchObstacle.isNoSelect }
    let cuts = try SelectCuts(content.tokens, mayBeDistinct: true)
    let sources = try SelectSource.sources(in: content, cuts.source).map {
      try source($0, content, expressions, depth)
    }
    let scope = SelectScope(content: content, sources: sources)
    return try depth == 0 ? statement(scope, cuts) : inner(scope, cuts)
  }

  /// Reads `WITH name [(columns)] AS (SELECT …), … SELECT …`.
  private static func tableExpressions(
    _ content: NumberedText,
    _ known: [String: TableExpression]
  ) throws -> (body: String, all: [String: TableExpression]) {
    let tokens = content.tokens
    var all = known
    var index = tokens.count > 1 && tokens[1].keyword == "RECURSIVE" ? 2 : 1
    func close(_ open: Int) throws -> Int {
      guard open < tokens.count, tokens[open].isSymbol("("),
        let end = tokens[open...].firstIndex(where: { $0.isSymbol(")") && $0.depth == 0 })
      else { throw PatchObstacle.isNoSelect }
      return end
    }
    while true {
      guard let name = content.name(index) else { throw PatchObstacle.isNoSelect }
      index += 1
      var columns: [String] = []
      if index < tokens.count, tokens[index].isSymbol("(") {
        let end = try close(index)
        columns = (index + 1..<end).compactMap { content.name($0)?.asciiLowercased }
        index = end + 1
      }
      guard index < tokens.count, tokens[index].keyword == "AS" else {
        throw PatchObstacle.isNoSelect
      }
      index += 1
      while index < tokens.count, ["NOT", "MATERIALIZED"].contains(tokens[index].keyword) {
        index += 1
      }
      let end = try close(index)
      all[name.asciiLowercased] = TableExpression(
        columns: columns,
        sql: content.text(index + 1..<end)
      )
      index = end + 1
      guard index < tokens.count else { throw PatchObstacle.isNoSelect }
      guard tokens[index].isSymbol(",") else { break }
      index += 1
    }
    return (content.text(index..<tokens.count), all)
  }

  /// Finds the meaning of an item of the `FROM`.
  private func source(
    _ item: SelectSource,
    _ content: NumberedText,
    _ expressions: [String: TableExpression],
    _ depth: Int
  ) throws -> ExpandedSource {
    func expanded(
      _ sql: String,
      _ expressions: [String: TableExpression],
      columns: [String] = []
    ) throws -> ExpandedSource {
      let select = try select(sql, expressions, depth: depth + 1).renamed(columns)
      return ExpandedSource(
        item: item,
        qualifier: item.qualifier.map { content.written($0) } ?? "",
        names: select.columns.map(\.name),
        select: select
      )
    }
    if let subquery = item.subquery { return try expanded(content.text(subquery), expressions) }
    guard let table = item.table, let name = content.name(table)?.asciiLowercased else {
      throw PatchObstacle.readsOtherSource
    }
    let isQualified = item.body.lowerBound != table
    if !isQualified, let expression = expressions[name] {
      return try expanded(expression.sql, expressions, columns: expression.columns)
    }
    let found = schema.tables(named: name)
    guard found.count == 1 else { throw PatchObstacle.readsOtherSource }
    let columns = try columnNames(of: content.text(item.body))
    guard found[0].kind == .view else {
      return ExpandedSource(
        item: item,
        qualifier: content.written(item.alias ?? table),
        names: columns,
        select: nil
      )
    }
    guard found[0].name.schema == "main",
      let definition = try String.fetchOne(
        db,
        sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND lower(name) = ?",
        arguments: [name]
      ), let view = NumberedText(definition),
      let start = view.tokens.firstIndex(where: { $0.depth == 0 && $0.keyword == "AS" })
    else { throw PatchObstacle.readsOtherSource }
    // A view does not see the common table expressions of the statement.
    return try expanded(view.text(start + 1..<view.tokens.count), [:], columns: columns)
  }

  /// The names of the columns that `*` means, in lower case.
  private func columnNames(of table: String) throws -> [String] {
    do {
      return try db.makeStatement(sql: "SELECT * FROM \(table)").columnNames
        .map(\.asciiLowercased)
    } catch is DatabaseError {
      throw PatchObstacle.cannotBeCompiled
    }
  }

  // MARK: Selects

  /// Reads a `SELECT` that is a source.
  private func inner(_ scope: SelectScope, _ cuts: SelectCuts) throws -> ExpandedSelect {
    guard !cuts.isGrouped, cuts.limit == nil, !scope.isDistinct else {
      throw PatchObstacle.readsOtherSource
    }
    var scope = scope
    var result = ExpandedSelect()
    for term in scope.content.terms(of: cuts.list, separatedBy: { $0.isSymbol(",") }) {
      result.columns += try scope.columns(term)
    }
    scope.aliases = Dictionary(
      result.columns.map { ($0.name, $0.expression) },
      uniquingKeysWith: { first, _ in first }
    )
    try result.join(scope)
    if let condition = cuts.condition { result.conditions.append(scope.text(condition)) }
    if let order = cuts.order {
      result.order = try scope.order(order, result.columns)
    } else if scope.sources.count == 1 {
      result.order = scope.sources[0].select?.order
    }
    return result
  }

  /// Reads the statement itself.
  private func statement(_ scope: SelectScope, _ cuts: SelectCuts) throws -> ExpandedSelect {
    var scope = scope
    var result = ExpandedSelect()
    result.isExpanded = scope.sources.contains { $0.select != nil }
    guard result.isExpanded else { return result }
    let columns = cuts.list.dropFirst(scope.isDistinct ? 1 : 0)
    let terms = scope.content.terms(of: columns, separatedBy: { $0.isSymbol(",") })
    var list: [String] = []
    for term in terms {
      let expressions = try scope.columns(term, isSource: false).map(\.expression)
      for expression in expressions {
        guard list.count < columnNames.count else { throw PatchObstacle.readsOtherSource }
        let name = columnNames[list.count]
        list.append("\(expression) AS \(name.quotedDatabaseIdentifier)")
      }
    }
    // SQLite prefers the names of result columns in these clauses.
    let names = Set(columnNames.map(\.asciiLowercased))
    try result.join(scope)
    if let condition = cuts.condition { result.conditions.append(scope.text(condition)) }
    var sql = scope.isDistinct ? "SELECT DISTINCT " : "SELECT "
    sql += list.joined(separator: ", ") + " FROM "
    sql += result.joins.map(\.text).joined(separator: " ")
    if !result.conditions.isEmpty {
      sql += " WHERE " + result.conditions.map { "(\($0))" }.joined(separator: " AND ")
    }
    if let group = cuts.group { sql += " GROUP BY \(scope.text(group))" }
    if let having = cuts.having { sql += " HAVING \(scope.text(having))" }
    if let order = cuts.order {
      scope.aliases = Dictionary(
        uniqueKeysWithValues: names.map { ($0, $0.quotedDatabaseIdentifier) }
      )
      sql += " ORDER BY \(scope.text(order, prefersAliases: true))"
    } else if scope.sources.count == 1, let order = scope.sources[0].select?.order {
      sql += " ORDER BY \(order)"
    }
    if let limit = cuts.limit { sql += " LIMIT \(scope.content.text(limit))" }
    if let offset = cuts.offset { sql += " OFFSET \(scope.content.text(offset))" }
    result.sql = sql
    return result
  }
}

/// A common table expression.
struct TableExpression {
  let columns: [String]
  let sql: String
}
