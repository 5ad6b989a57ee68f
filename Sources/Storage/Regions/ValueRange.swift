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
