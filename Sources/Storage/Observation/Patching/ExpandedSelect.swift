internal import WellspringSystem

/// A `SELECT` with the tables that its views, common table expressions and subqueries in the `FROM`
/// read in place of these.
///
/// SQLite does the same where the result cannot differ. Whether it does is not concluded from the
/// text: see ``Statement/expandingSources()``.
struct ExpandedSelect {
  /// A result column.
  struct Column {
    /// Its name in lower case.
    let name: String
    let expression: String
  }

  /// A table, and how it is joined with those before it.
  struct Join {
    /// `JOIN`, for example; nothing for the first table.
    var operation: String
    /// The table with its alias.
    let table: String
    var condition: String?
    /// The columns of a `USING`.
    var commonColumns: String?
    let isOptional: Bool

    var text: String {
      var text = operation.isEmpty ? table : "\(operation) \(table)"
      if let condition { text += " ON \(condition)" }
      if let commonColumns { text += " USING \(commonColumns)" }
      return text
    }
  }

  /// The columns of a source, without the columns of the statement itself.
  var columns: [Column] = []
  var joins: [Join] = []
  var conditions: [String] = []
  var order: String?
  /// Whether it has other sources than tables.
  var isExpanded = false
  /// The statement.
  var sql = ""

  /// Reads a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - columnNames: The names of its result columns.
  ///   - schema: The schema.
  ///   - db: The connection.
  /// - Throws: ``PatchObstacle`` when a source cannot be replaced by its tables.
  init(
    _ sql: String,
    columnNames: [String],
    _ schema: RegionSchema,
    _ db: Database
  ) throws {
    let reader = SelectReader(schema: schema, db: db, columnNames: columnNames)
    self = try reader.select(sql, [:], depth: 0)
  }

  init() {}
}

extension ExpandedSelect {
  /// Gives the columns other names, if there are as many.
  func renamed(_ names: [String]) throws -> ExpandedSelect {
    guard !names.isEmpty else { return self }
    guard names.count == columns.count else { throw PatchObstacle.readsOtherSource }
    var result = self
    result.columns = zip(names, columns).map { Column(name: $0, expression: $1.expression) }
    return result
  }

  /// Joins the tables of the sources.
  mutating func join(_ scope: SelectScope) throws {
    for source in scope.sources {
      let item = source.item
      let operation = scope.content.text(item.operation)
      let isCommon = item.hasCommonColumns || item.isNatural
      let condition = isCommon ? nil : item.constraint.map { scope.text($0) }
      guard let select = source.select else {
        joins.append(
          Join(
            operation: operation,
            table: scope.content.text(item.body),
            condition: condition,
            commonColumns: item.hasCommonColumns
              ? item.constraint.map { scope.content.text($0) } : nil,
            isOptional: item.isOptional
          )
        )
        continue
      }
      guard !isCommon else { throw PatchObstacle.readsOtherSource }
      var inner = select.joins
      inner[0].operation = operation
      if item.isOptional {
        // Its condition decides which rows are joined.
        guard inner.count == 1, let condition else { throw PatchObstacle.readsOtherSource }
        let all = select.conditions + [condition]
        joins.append(
          Join(
            operation: operation,
            table: inner[0].table,
            condition: all.map { "(\($0))" }.joined(separator: " AND "),
            isOptional: true
          )
        )
        continue
      }
      joins += inner
      conditions = select.conditions + conditions
      if let condition {
        if joins[joins.count - 1].isOptional || joins[joins.count - 1].commonColumns != nil {
          conditions.append(condition)
        } else if let own = joins[joins.count - 1].condition {
          joins[joins.count - 1].condition = "(\(own)) AND (\(condition))"
        } else {
          joins[joins.count - 1].condition = condition
        }
      }
    }
  }
}
