/// A column that a query compares with values, and the collation of the comparison.
///
/// A column that is compared under two collations counts as two.
struct ConditionColumn: Sendable {
  let name: ColumnName
  let collation: RowKeyCollation
  /// Whether the column is the row id, whatever its name is.
  let isRowID: Bool

  init(name: ColumnName, collation: RowKeyCollation) {
    (self.name, self.collation, isRowID) = (name, collation, false)
  }

  /// The row id, by the name of the column that stands for it.
  init(rowIDNamed name: ColumnName) {
    (self.name, collation, isRowID) = (name, .binary, true)
  }

  /// The row id.
  static let rowID = ConditionColumn(rowIDNamed: "rowid")
}

extension ConditionColumn: Hashable {
  static func == (left: ConditionColumn, right: ConditionColumn) -> Bool {
    if left.isRowID || right.isRowID { return left.isRowID && right.isRowID }
    return left.name == right.name && left.collation == right.collation
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isRowID)
    guard !isRowID else { return }
    hasher.combine(name)
    hasher.combine(collation)
  }
}

/// The values that a query looks for in a column: `ticket.agentId = 5`, `ticket.at >= 7`.
struct SoughtValues: Hashable, Sendable {
  let column: ConditionColumn
  let range: ValueRange
}

extension SoughtValues {
  /// The row with an id.
  init(rowID: Int64) {
    self.init(column: .rowID, range: ValueRange(ValueKey(rowID: rowID)))
  }
}

extension SoughtValues: CustomStringConvertible, Comparable {
  /// The condition as in SQL: `agentid=5`, `5<=at<9`.
  var description: String {
    let name = column.name.name
    if let key = range.onlyKey { return "\(name)=\(key)" }
    // A lower bound of NULL only says that NULL is not among the values.
    let lower = range.lower.flatMap { $0.key == .null ? nil : $0 }
    switch (lower, range.upper) {
    case (nil, nil): return "\(name) IS NOT NULL"
    case (let lower?, nil): return "\(name)>\(lower.isIncluded ? "=" : "")\(lower.key)"
    case (nil, let upper?): return "\(name)<\(upper.isIncluded ? "=" : "")\(upper.key)"
    case (let lower?, let upper?):
      return "\(lower.key)<\(lower.isIncluded ? "=" : "")\(name)"
        + "<\(upper.isIncluded ? "=" : "")\(upper.key)"
    }
  }

  static func < (left: SoughtValues, right: SoughtValues) -> Bool {
    (left.column.name, left.description) < (right.column.name, right.description)
  }
}
