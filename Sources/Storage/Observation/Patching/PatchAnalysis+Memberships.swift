/// `column IN (SELECT …)`, written as `EXISTS`: SQLite then looks for single rows of a subquery
/// where it would read all of them for `IN`.
extension PatchAnalysis {
  /// The role of a subquery in the rewritten statement.
  enum SubqueryRole {
    case asWritten
    /// A term whose value is NULL where a row of the subquery is NULL.
    case nullable
    /// Whether a row of a nullable one is NULL.
    case nullCheck
  }

  /// Writes each `column IN (SELECT …)` of a statement as `EXISTS`, where both are the same.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - schema: The schema.
  /// - Returns: The statement, and the roles of its subqueries, in their order.
  /// - Throws: ``PatchObstacle`` when the new text is not understood.
  static func searched(
    _ text: SelectText,
    _ schema: RegionSchema
  ) throws(PatchObstacle) -> (text: SelectText, roles: [SubqueryRole]) {
    var replacements: [NumberedText.Replacement] = []
    var roles: [SubqueryRole] = []
    for subquery in text.subqueries {
      guard let found = MembershipTerm(subquery, text, schema) else {
        roles.append(.asWritten)
        continue
      }
      replacements.append((found.range, found.sql))
      roles += found.isNullable ? [.nullable, .nullCheck] : [.asWritten]
    }
    guard !replacements.isEmpty else { return (text, roles) }
    let sql = text.content.text(text.content.tokens.indices, replacing: replacements)
    return (try SelectText(sql), roles)
  }
}

/// A term `column [NOT] IN (SELECT column FROM …)`.
private struct MembershipTerm {
  /// The indexes of its tokens.
  let range: Range<Int>
  /// The same with `EXISTS`.
  let sql: String
  /// Whether its value can be NULL.
  let isNullable: Bool

  /// - Returns: `nil` if it cannot be written in another way.
  init?(_ subquery: SubqueryText, _ text: SelectText, _ schema: RegionSchema) {
    guard case .membership(let column?, let isNegated) = subquery.use,
      let sought = Self.sought(column, subquery, text, schema),
      let found = Self.found(subquery, schema)
    else { return nil }
    range = column.lowerBound..<subquery.range.upperBound
    guard Self.isNamed(range, text) else { return nil }
    let isConjunct = !isNegated && Self.isConjunct(range, text)
    guard isConjunct || !sought.isNullable else { return nil }
    isNullable = found.isNullable && !isConjunct
    let inner = subquery.select
    // A row that goes can leave NULLs of a left join, which are not values of its columns.
    guard !isNullable || !inner.tables.contains(where: \.isOptional) else { return nil }
    let condition = inner.condition.map { " AND (\($0))" } ?? ""
    func exists(_ term: String) -> String {
      "EXISTS (SELECT 1 FROM \(inner.source) WHERE \(term)\(condition))"
    }
    let isFound = exists("\(sought.sql) = \(found.sql)")
    sql =
      if isNullable {
        """
        (CASE WHEN \(isFound) THEN \(isNegated ? 0 : 1) \
        WHEN \(exists("\(found.sql) IS NULL")) THEN NULL ELSE \(isNegated ? 1 : 0) END)
        """
      } else {
        isNegated ? "(NOT \(isFound))" : isFound
      }
  }

  /// Returns the column that is looked for, qualified.
  private static func sought(
    _ range: Range<Int>,
    _ subquery: SubqueryText,
    _ text: SelectText,
    _ schema: RegionSchema
  ) -> (sql: String, isNullable: Bool)? {
    let content = text.content
    guard let name = content.name(range.upperBound - 1) else { return nil }
    let qualifier = range.count == 3 ? content.name(range.lowerBound)?.asciiLowercased : nil
    guard range.count == 1 || qualifier != nil,
      let owner = column(name, qualifier, of: text.tables, schema),
      // Another table of the subquery would be meant.
      !subquery.select.tables.contains(where: {
        $0.comparedQualifier == owner.table.comparedQualifier
      })
    else { return nil }
    let sql = "\(owner.table.qualifier).\(content.written(range.upperBound - 1))"
    return (sql, owner.isNullable)
  }

  /// Returns the only column of a subquery, if nothing but a condition selects its rows.
  private static func found(
    _ subquery: SubqueryText,
    _ schema: RegionSchema
  ) -> (sql: String, isNullable: Bool)? {
    let select = subquery.select
    var list = select.cuts.list
    if select.content.tokens[list.lowerBound].keyword == "DISTINCT" {
      list = list.lowerBound + 1..<list.upperBound
    }
    let isQualified = list.count == 3 && select.content.tokens[list.lowerBound + 1].isSymbol(".")
    guard select.limit == nil, !select.cuts.isGrouped, list.count == 1 || isQualified,
      let name = select.content.name(list.upperBound - 1)
    else { return nil }
    let qualifier = isQualified ? select.content.name(list.lowerBound)?.asciiLowercased : nil
    guard !isQualified || qualifier != nil,
      let owner = column(name, qualifier, of: select.tables, schema)
    else { return nil }
    return (select.content.text(list), owner.isNullable)
  }

  /// Finds the table that has a column.
  private static func column(
    _ name: String,
    _ qualifier: String?,
    of tables: [SelectedTable],
    _ schema: RegionSchema
  ) -> (table: SelectedTable, isNullable: Bool)? {
    let column = ColumnName(name)
    var owners: [(table: SelectedTable, isNullable: Bool)] = []
    for table in tables where qualifier.map({ $0 == table.comparedQualifier }) ?? true {
      let found = schema.tables(named: table.name.asciiLowercased)
      guard found.count == 1, !found[0].isUnclear else { return nil }
      let isRowID = found[0].rowIDNames.contains(column)
      guard isRowID || found[0].columns.contains(column) else { continue }
      let isRequired = isRowID || found[0].requiredColumns.contains(column)
      owners.append((table, table.isOptional || !isRequired))
    }
    return owners.count == 1 ? owners[0] : nil
  }

  /// Whether a term in the condition must be true, whatever the other terms are.
  private static func isConjunct(_ range: Range<Int>, _ text: SelectText) -> Bool {
    let tokens = text.content.tokens
    guard let condition = text.cuts.condition, condition.contains(range.lowerBound) else {
      return false
    }
    let words = tokens[condition].filter { $0.depth == 0 }.map(\.keyword)
    let isFirst = range.lowerBound == condition.lowerBound
    let isLast = range.upperBound == condition.upperBound
    return tokens[range.lowerBound].depth == 0
      && !words.contains(where: ["BETWEEN", "CASE", "OR"].contains)
      && (isFirst || tokens[range.lowerBound - 1].keyword == "AND")
      && (isLast || tokens[range.upperBound].keyword == "AND")
  }

  /// Whether the text of a term is not the name of a column of the result.
  private static func isNamed(_ range: Range<Int>, _ text: SelectText) -> Bool {
    guard text.cuts.list.contains(range.lowerBound) else { return true }
    return text.content.tokens[range.upperBound].keyword == "AS"
  }
}

extension RegionSchema.Table {
  /// The names of the row id.
  var rowIDNames: Set<ColumnName> {
    guard !isWithoutRowID else { return [] }
    let names = Set(RowIDName.all.map { ColumnName($0) }).subtracting(columns)
    return rowIDColumn.map { names.union([$0]) } ?? names
  }
}
