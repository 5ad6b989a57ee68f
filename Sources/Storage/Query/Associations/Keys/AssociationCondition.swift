/// The name of an association, which is also the name of a scope or of prefetched rows.
enum AssociationKey: Hashable, Sendable {
  /// A name that is used unchanged.
  case fixed(String)
  /// A name that was chosen for one row. Several rows have its plural.
  case singular(String)
  /// A name that was chosen for several rows. One row has its singular.
  case plural(String)
  /// The name of the associated table, which is written in the singular or in the plural.
  case table(String)

  /// The name of one associated row.
  var singular: String {
    switch self {
    case .fixed(let name), .singular(let name): name
    case .plural(let name), .table(let name): name.singularized
    }
  }

  /// The name of several associated rows.
  var plural: String {
    switch self {
    case .fixed(let name), .plural(let name): name
    case .singular(let name), .table(let name): name.pluralized
    }
  }
}

/// Which rows of an associated table belong to a row.
enum AssociationCondition: Hashable, Sendable {
  /// The row refers to the associated row: `belongsTo`.
  case refers(ForeignKey?)
  /// The associated row refers to the row: `hasMany`, `hasOne`.
  case referred(ForeignKey?)
  /// A condition on columns of the two tables, written as ``TableIdentity/origin`` and
  /// ``TableIdentity/destination``; `nil` for all rows. A reversed condition was written for the
  /// tables in the opposite order.
  case expression(ExpressionNode?, isReversed: Bool = false)
}

extension AssociationCondition {
  /// A pair of columns whose values are equal.
  struct Pair: Hashable, Sendable {
    let origin: String
    let destination: String
  }

  /// The same condition, as the associated table sees it.
  var reversed: AssociationCondition {
    switch self {
    case .refers(let key): .referred(key)
    case .referred(let key): .refers(key)
    case .expression(let node, let isReversed): .expression(node, isReversed: !isReversed)
    }
  }

  /// Returns the columns whose values are equal; `nil` for a condition that is not made of columns.
  func pairs(
    from origin: TableReference,
    to destination: TableReference,
    _ db: Database
  ) throws -> [Pair]? {
    switch self {
    case .refers(let key):
      return try ForeignKeyResolution(key, from: origin, to: destination).mapping(db)
        .map { Pair(origin: $0.origin, destination: $0.destination) }
    case .referred(let key):
      return try ForeignKeyResolution(key, from: destination, to: origin).mapping(db)
        .map { Pair(origin: $0.destination, destination: $0.origin) }
    case .expression:
      return nil
    }
  }

  /// Returns the condition between two tables of a statement; `nil` when all rows satisfy it.
  func joining(_ origin: TableReference, _ destination: TableReference) -> ExpressionNode? {
    if case .expression(nil, _) = self { return nil }
    return AssociationJoin(condition: self, origin: origin, destination: destination).node
  }
}

/// The condition of an association between two tables of a statement:
/// `"team"."id" = "player"."teamID"`.
struct AssociationJoin: ExpressionPart {
  let condition: AssociationCondition
  let origin: TableReference
  let destination: TableReference

  func write(to context: inout SQLContext) throws {
    if case .expression(let expression, let isReversed) = condition {
      let ends = isReversed ? (destination, origin) : (origin, destination)
      return try context.with(origin: ends.0, destination: ends.1) {
        try expression?.write(to: &$0)
      }
    }
    guard let db = context.db, let pairs = try condition.pairs(from: origin, to: destination, db)
    else { return context.append("<foreign key>") }
    let equalities = pairs.map { pair in
      let own = OwnedExpression(expression: Column(pair.origin).node, table: origin)
      let other = OwnedExpression(expression: Column(pair.destination).node, table: destination)
      return (SQLExpression(other) == SQLExpression(own)).node
    }
    try SQLExpression.chain(.and, equalities).node.write(to: &context)
  }

  var isOperand: Bool { false }
}
