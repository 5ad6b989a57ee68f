/// What the live observations of a file read of one table.
struct ObservedTable: Hashable, Sendable {
  /// The columns that any of the observations reads.
  var columns: Extent<ColumnName>
  /// Whether an observation reads single rows.
  var hasRowObservers: Bool
  /// The columns that observed queries compare with arguments or constants.
  var conditionColumns: Set<ConditionColumn> = []

  func union(_ other: ObservedTable) -> ObservedTable {
    ObservedTable(
      columns: columns.union(other.columns),
      hasRowObservers: hasRowObservers || other.hasRowObservers,
      conditionColumns: conditionColumns.union(other.conditionColumns)
    )
  }
}
