/// The tables that lead from a record to its associated rows, and how they are joined.
///
/// A `belongsTo`, `hasMany` or `hasOne` has one step; an association through others has the steps
/// of all of them.
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

  init(_ condition: AssociationCondition, key: String?, to statement: SelectStatement) {
    let key = key.map(AssociationKey.fixed) ?? .table(statement.from.table.tableName)
    steps = [Step(condition: condition, key: key, statement: statement)]
  }

  /// Joins two paths, of which the second one leads to the associated rows.
  init(_ pivot: AssociationPath, _ target: AssociationPath, key: String?) {
    steps = pivot.steps + target.steps
    if let key { self.key = .fixed(key) }
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
