/// The identity of a live query. A broker never uses one for two queries.
struct QueryID: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  static func < (left: QueryID, right: QueryID) -> Bool { left.rawValue < right.rawValue }
}
