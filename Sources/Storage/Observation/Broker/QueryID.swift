/// The identity of a live query. A broker never uses one for two queries.
struct QueryID: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  static func < (left: QueryID, right: QueryID) -> Bool { left.rawValue < right.rawValue }

  /// The hash of a dictionary or a set.
  ///
  /// Identities are counted, and no input chooses them. A multiplication spreads them well enough,
  /// in a tenth of the instructions of the standard library's hash: a query is looked up thirty
  /// times between its start and its end.
  func _rawHashValue(seed: Int) -> Int {
    let product = (rawValue ^ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product ^ (product >> 32))
  }
}
