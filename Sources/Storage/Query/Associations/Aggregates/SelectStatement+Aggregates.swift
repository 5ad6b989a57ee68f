// An empty array fits `annotated(with:)` for columns, too: the one for aggregates is disfavored.

extension RefinableRequest {
  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.all().annotated(with: Team.players.count, Team.players.max { $0.score })
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount",
  ///     // MAX("player"."score") AS "maxPlayerScore" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func annotated(with aggregates: AssociationAggregate<RowDecoder>...) -> Refined {
    annotated(with: aggregates)
  }

  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.all().annotated(with: [Team.players.count])
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  @_disfavoredOverload
  public func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Refined {
    annotated(with: aggregates.map(\.selection))
  }

  /// Keeps the rows for which a condition on associated rows is true. Several conditions are joined
  /// with `AND`.
  ///
  ///     Team.all().having(Team.players.count >= 2)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2
  public func having(_ condition: AssociationAggregate<RowDecoder>) -> Refined {
    having(condition.expression)
  }
}

extension TableRecord {
  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.annotated(with: Team.players.count)
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public static func annotated(
    with aggregates: AssociationAggregate<Self>...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Adds aggregates of associations to the result columns.
  ///
  ///     Team.annotated(with: [Team.players.count])
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public static func annotated(
    with aggregates: [AssociationAggregate<Self>]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Returns a request for the rows for which a condition on associated rows is true.
  ///
  ///     Team.having(Team.players.isEmpty)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") = 0
  public static func having(
    _ condition: AssociationAggregate<Self>
  ) -> QueryInterfaceRequest<Self> {
    all().having(condition)
  }
}

// Joins the tables of the aggregates of a statement, and groups the rows:
//
//     SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
//     LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
//
// Sums and averages would count rows several times where other joins multiply them. They remain
// subqueries then, as do all aggregates where a group for each row would merge other joined rows.

extension SelectStatement {
  /// The aggregates of associations in the clauses that can contain them.
  var aggregateCalls: [AssociationAggregateCall] {
    select.selection.flatMap(\.aggregateCalls) + having.conditions.flatMap(\.aggregateCalls)
      + order.terms.flatMap(\.aggregateCalls)
  }

  /// Turns the conditions on aggregates from conditions on groups into conditions on rows, where
  /// the aggregates are subqueries.
  mutating func moveAggregatesToFilter() {
    filter.conditions += having.conditions.filter { !$0.aggregateCalls.isEmpty }
    having.conditions.removeAll { !$0.aggregateCalls.isEmpty }
  }

  /// Whether a condition is on groups, rather than on the aggregates of single rows.
  var hasConditionsOnGroups: Bool { having.conditions.contains { $0.aggregateCalls.isEmpty } }

  /// The paths of the aggregates that are computed by joins.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the request groups its rows in a way of
  ///   its own, and an aggregate cannot be computed for these groups.
  func joinedAggregates() throws -> JoinedAggregates {
    let calls = aggregateCalls
    let isGrouped = !group.expressions.isEmpty
    let canJoin =
      isGrouped
      || from.table.recordTableName != nil
        && !from.joins.contains { !$0.selection.isEmpty }
        && !associations.contains(where: \.keepsMultipliedRows)
    var joined = JoinedAggregates()
    guard canJoin, !calls.isEmpty else { return joined }
    joined.repeatsRows =
      !from.joins.isEmpty || associations.contains(where: \.multipliesRows)
    let joinable = calls.filter { $0.path.isJoinable }
    for call in joinable where !call.function.countsDuplicates { joined.add(call.path) }
    let counting = joinable.filter(\.function.countsDuplicates)
    if let path = counting.first?.path, !joined.repeatsRows,
      counting.allSatisfy({ $0.path.identity == path.identity }), joined.isPart(of: path)
    {
      joined.add(path)
      joined.alone = path.identity
    }
    guard isGrouped, let other = calls.first(where: { !joined.computes($0) }) else { return joined }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the aggregate of \(other.path.key.plural) cannot be computed for the groups of the request: \
        remove group(_:), or compute it in a request of its own
        """
    )
  }
}

// MARK: - Finding aggregates

extension ExpressionNode {
  @inline(never)
  fileprivate var aggregateCalls: [AssociationAggregateCall] {
    if let call = part as? AssociationAggregateCall { return [call] }
    return part.operands.flatMap(\.aggregateCalls)
  }
}

extension SQLSelection {
  fileprivate var aggregateCalls: [AssociationAggregateCall] {
    switch kind {
    case .expression(let expression), .alias(let expression, _): expression.aggregateCalls
    // Aggregates that a connection adds become subqueries: the joins are known before.
    case .allColumns, .allColumnsExcluding, .literal, .owned, .connected: []
    }
  }
}

extension SQLSelection {
  /// The selection, whose aggregates are NULL where an outer join finds no row: a number of rows
  /// would be 0 otherwise, as if there were a row.
  var nullWithoutRow: SQLSelection {
    guard !aggregateCalls.isEmpty else { return self }
    switch kind {
    case .expression(let expression):
      return SQLSelection(.expression(ValueOfPresentRow(expression: expression).node))
    case .alias(let expression, let name):
      return SQLSelection(.alias(ValueOfPresentRow(expression: expression).node, name))
    case .allColumns, .allColumnsExcluding, .literal, .owned, .connected:
      return self
    }
  }
}

extension SQLOrdering {
  fileprivate var aggregateCalls: [AssociationAggregateCall] {
    if case .term(let expression, _) = kind { expression.aggregateCalls } else { [] }
  }
}

// MARK: - What joins do to rows

extension AssociationNode {
  /// Whether a row may be joined with several rows.
  fileprivate var multipliesRows: Bool {
    isJoined && (!isToOne || statement.associations.contains(where: \.multipliesRows))
  }

  /// Whether the several rows that a row may be joined with must not be merged, because they differ
  /// in the columns of this association.
  fileprivate var keepsMultipliedRows: Bool {
    isJoined
      && (!isToOne && showsColumns || statement.associations.contains(where: \.keepsMultipliedRows))
  }

  /// Whether the rows have columns of the association. The tables between prefetched rows and the
  /// rows that they belong to have hidden columns.
  private var showsColumns: Bool {
    isJoined
      && (selection != .none || key.hasPrefix(":")
        || statement.associations.contains(where: \.showsColumns))
  }
}

extension AssociationPath {
  /// Whether outer joins express the path. In parentheses, where required associations are joined,
  /// row ids are out of reach.
  fileprivate var isJoinable: Bool {
    steps.allSatisfy { step in
      step.statement.from.joins.isEmpty
        && !step.statement.associations.contains { $0.role == .joined(isRequired: true) }
    }
  }
}
