/// The number of times that tables, columns or rows were added to what is observed.
///
/// A transaction tracks what was observed when it began. So its changes may miss a query whose
/// region was indexed at a later count.
struct Growth: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  static func < (left: Growth, right: Growth) -> Bool { left.rawValue < right.rawValue }
}
