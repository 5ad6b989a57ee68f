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
