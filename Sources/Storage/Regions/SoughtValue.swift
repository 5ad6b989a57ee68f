/// A column that a query compares with values, and the collation of the comparison.
///
/// A column that is compared under two collations counts as two.
struct ConditionColumn: Hashable, Sendable {
  let name: ColumnName
  let collation: RowKeyCollation
}

/// A value that a query looks for in a column: `ticket.agentId = 5`.
struct SoughtValue: Hashable, Sendable {
  let column: ConditionColumn
  let key: ValueKey
}

extension SoughtValue: CustomStringConvertible, Comparable {
  var description: String { "\(column.name.name)=\(key)" }

  static func < (left: SoughtValue, right: SoughtValue) -> Bool {
    (left.column.name, left.description) < (right.column.name, right.description)
  }
}
