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

  /// The row id, by the name of the column that is the row id.
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

/// Values between two bounds, in the order of SQLite: NULL, numbers, texts, blobs.
struct ValueRange: Hashable, Sendable {
  struct Bound: Hashable, Sendable {
    let key: ValueKey
    /// Whether the value itself is in the range.
    let isIncluded: Bool
  }

  /// The lower bound. Without one, NULL is in the range.
  let lower: Bound?
  let upper: Bound?

  /// Makes a range.
  init(lower: Bound?, upper: Bound?) { (self.lower, self.upper) = (lower, upper) }

  /// The range of one value.
  init(_ key: ValueKey) {
    let bound = Bound(key: key, isIncluded: true)
    self.init(lower: bound, upper: bound)
  }

  /// The only value of the range, if it has one bound on both sides.
  var onlyKey: ValueKey? {
    guard let lower, lower.isIncluded, lower == upper else { return nil }
    return lower.key
  }

  /// Whether a value is in the range.
  func contains(_ key: ValueKey) -> Bool {
    !Self.isBelow(key, lower) && !Self.isAbove(key, upper)
  }

  /// Whether a row id is in the range.
  func contains(rowID: Int64) -> Bool { contains(ValueKey(rowID: rowID)) }

  /// Whether a value is less than all that are above a lower bound.
  static func isBelow(_ key: ValueKey, _ lower: Bound?) -> Bool {
    guard let lower else { return false }
    return key < lower.key || key == lower.key && !lower.isIncluded
  }

  /// Whether a value is greater than all that are below an upper bound.
  static func isAbove(_ key: ValueKey, _ upper: Bound?) -> Bool {
    guard let upper else { return false }
    return upper.key < key || key == upper.key && !upper.isIncluded
  }

  /// Whether an upper bound admits fewer values than another one.
  static func isLess(upper left: Bound?, _ right: Bound?) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    if left.key != right.key { return left.key < right.key }
    return !left.isIncluded && right.isIncluded
  }

  private static func isLess(lower left: Bound?, _ right: Bound?) -> Bool {
    guard let right else { return false }
    guard let left else { return true }
    if left.key != right.key { return left.key < right.key }
    return left.isIncluded && !right.isIncluded
  }
}

/// By the lower bound, then by the upper one.
extension ValueRange: Comparable {
  static func < (left: ValueRange, right: ValueRange) -> Bool {
    if left.lower != right.lower { return isLess(lower: left.lower, right.lower) }
    return isLess(upper: left.upper, right.upper)
  }
}
