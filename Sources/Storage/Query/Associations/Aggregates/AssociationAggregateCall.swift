/// An aggregate function over the rows that an association leads to.
///
/// It is written as `COUNT(DISTINCT "player"."id")` where the statement joins the rows, and as a
/// subquery elsewhere: `(SELECT COUNT(DISTINCT "player"."id") FROM "player" WHERE …)`.
struct AssociationAggregateCall: ExpressionPart {
  enum Function {
    /// The number of rows, each one counted once.
    case rowCount
    /// The number of values that are not NULL.
    case valueCount
    case distinctValueCount
    case min
    case max
    case average
    case sum
    case total

    var sqlName: String {
      switch self {
      case .rowCount, .valueCount, .distinctValueCount: "COUNT"
      case .min: "MIN"
      case .max: "MAX"
      case .average: "AVG"
      case .sum: "SUM"
      case .total: "TOTAL"
      }
    }

    var isDistinct: Bool { self == .rowCount || self == .distinctValueCount }

    /// Whether the result depends on how often a row is joined.
    var countsDuplicates: Bool {
      switch self {
      case .rowCount, .distinctValueCount, .min, .max: false
      case .valueCount, .average, .sum, .total: true
      }
    }
  }

  /// The tables that lead to the rows, without anything that has no effect on an aggregate.
  let path: AssociationPath
  let function: Function
  /// The value that is aggregated; `nil` for the rows themselves.
  private let value: ExpressionNode?

  init(_ path: AssociationPath, _ function: Function, _ value: ExpressionNode? = nil) {
    self.path = path.aggregated
    self.function = function
    self.value = value
  }

  var isOperand: Bool { true }
  var isAggregate: Bool { true }

  /// The function, as the table at the end of the path sees it.
  private var call: ExpressionNode {
    FunctionCall(
      name: function.sqlName,
      arguments: [value ?? AggregatedRow(isSingleValue: true).node],
      isDistinct: function.isDistinct,
      isAggregateFunction: true
    ).node
  }

  func write(to context: inout SQLContext) throws {
    if let table = context.table(of: self) {
      try context.with(owner: table) { try call.write(to: &$0) }
    } else {
      try writeSubquery(to: &context)
    }
  }

  private func writeSubquery(to context: inout SQLContext) throws {
    let origin = try context.keyedTable
    let step = path.steps[0]
    try step.statement.checkIsJoinable(key: step.key.plural)
    var query = path.startingAtOrigin
    let table = TableReference(
      tableName: path.destination.from.table.tableName,
      identities: [.path(path.keysFromFirstStep)]
    )
    query.select = SelectClause(
      selection: [SQLSelection(.expression(OwnedExpression(expression: call, table: table).node))]
    )
    var joined = try query.joiningAssociations(reserving: [origin.name.asciiLowercased])
    if let condition = step.condition.joining(origin, joined.clauses.from.table) {
      joined.clauses.filter.conditions.insert(condition, at: 0)
    }
    try SQLSubquery(joined).write(to: &context)
  }
}

extension SQLContext {
  /// Returns the table that the statement joins for an aggregate; `nil` if it joins none, or if the
  /// expression does not belong to the first table of the statement.
  fileprivate func table(of call: AssociationAggregateCall) -> TableReference? {
    guard seesGroups, tables.count > 1, let first = tables.first, mainTable?.name == first.name
    else { return nil }
    let identity = TableIdentity.aggregated(call.path.identity)
    return tables.first { table in
      table.identities.contains(identity)
        && (!call.function.countsDuplicates || table.identities.contains(.alone))
    }
  }
}

extension AssociationPath {
  /// The same path, without orders, selections and prefetched associations.
  fileprivate var aggregated: AssociationPath {
    var path = self
    for index in path.steps.indices { path.steps[index].statement.prepareForAggregates() }
    return path
  }

  /// The identity of the rows: equal for two aggregates over the same rows.
  var identity: [Step] {
    steps.map { step in
      var step = step
      step.statement.from.table.identities = []
      return step
    }
  }

  /// The query of the rows of the first step, joined with the rows of the following steps.
  fileprivate var startingAtOrigin: SelectStatement {
    var query: SelectStatement?
    for index in steps.indices.reversed() {
      var statement = steps[index].statement
      if let query {
        let step = Step(
          condition: steps[index + 1].condition,
          key: steps[index + 1].key,
          statement: query
        )
        statement.associations.append(
          AssociationNode(
            key: Self.name(index + 1),
            role: .joined(isRequired: true),
            selection: .none,
            path: AssociationPath(step)
          )
        )
      }
      query = statement
    }
    return query ?? destination
  }

  /// The names of the associations that ``startingAtOrigin`` adds.
  fileprivate var keysFromFirstStep: [String] { steps.indices.dropFirst().map(Self.name) }

  /// A name that no association of a request has.
  private static func name(_ index: Int) -> String { ":\(index)" }
}

extension SelectStatement {
  fileprivate mutating func prepareForAggregates() {
    moveAggregatesToFilter()
    select.selection = [AllColumns().sqlSelection]
    order = OrderByClause()
    associations = associations.filter(\.isJoined)
    for index in associations.indices {
      associations[index].selection = .none
      associations[index].path = associations[index].path.aggregated
    }
  }
}
