/// The tables that lead from a record to its associated rows, and how they are joined.
///
/// A `belongsTo`, `hasMany` or `hasOne` has one step; an association through other associations has
/// the steps of all of them.
public struct AssociationPath: Hashable, Sendable {
  /// One table on the way, and the rows of it that belong to a row of the table before.
  struct Step: Hashable, Sendable {
    let condition: AssociationCondition
    var key: AssociationKey
    /// The rows of the table, as far as they are filtered, sorted, … and their own associations.
    var statement: SelectStatement
  }

  /// The steps. There is at least one.
  var steps: [Step]

  private init(
    _ condition: AssociationCondition,
    _ key: AssociationKey?,
    _ statement: SelectStatement
  ) {
    let key = key ?? .table(statement.from.table.tableName)
    steps = [Step(condition: condition, key: key, statement: statement)]
  }

  /// Creates the path of an association with one row, which may have a name.
  init(_ condition: AssociationCondition, singular name: String?, to statement: SelectStatement) {
    self.init(condition, name.map { .singular($0) }, statement)
  }

  /// Creates the path of an association with several rows, which may have a name.
  init(_ condition: AssociationCondition, plural name: String?, to statement: SelectStatement) {
    self.init(condition, name.map { .plural($0) }, statement)
  }

  private init(_ pivot: AssociationPath, _ target: AssociationPath, _ key: AssociationKey?) {
    steps = pivot.steps + target.steps
    if let key { self.key = key }
  }

  /// Joins two paths. The second one leads to the associated row.
  init(_ pivot: AssociationPath, _ target: AssociationPath, singular name: String?) {
    self.init(pivot, target, name.map { .singular($0) })
  }

  /// Joins two paths. The second one leads to the associated rows.
  init(_ pivot: AssociationPath, _ target: AssociationPath, plural name: String?) {
    self.init(pivot, target, name.map { .plural($0) })
  }

  /// The associated rows.
  var destination: SelectStatement {
    get { steps[steps.count - 1].statement }
    set { steps[steps.count - 1].statement = newValue }
  }

  /// The name of the association.
  var key: AssociationKey {
    get { steps[steps.count - 1].key }
    set { steps[steps.count - 1].key = newValue }
  }
}

extension AssociationPath {
  /// Returns the query of the associated rows, with the tables between joined in the opposite
  /// direction, as far as the table of the first step.
  ///
  /// - Parameter refine: A closure that adds the condition by which the rows are chosen to the
  ///   table of the first step.
  /// - Returns: The query.
  func startingAtDestination(_ refine: (inout SelectStatement) -> Void) -> SelectStatement {
    var steps = steps
    refine(&steps[0].statement)
    var node: AssociationNode?
    for index in steps.indices.dropLast() {
      var statement = steps[index].statement
      if let node { statement.associations.insert(node, at: 0) }
      node = AssociationNode(
        key: Self.pivotName(index),
        role: .joined(isRequired: true),
        selection: .none,
        path: AssociationPath(
          Step(
            condition: steps[index + 1].condition.reversed,
            key: .fixed(Self.pivotName(index)),
            statement: statement
          )
        )
      )
    }
    var query = steps[steps.count - 1].statement
    if let node { query.associations.insert(node, at: 0) }
    return query
  }

  /// The associations that ``startingAtDestination(_:)`` adds, from the associated rows to the
  /// table of the first step.
  var pivotPath: [String] {
    (0..<steps.count - 1).reversed().map(Self.pivotName)
  }

  /// A name that no association of the request has.
  private static func pivotName(_ index: Int) -> String { ":\(index)" }
}
