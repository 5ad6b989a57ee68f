/// A set of column numbers in one word. From the 64th on, columns share one bit: if one of them is
/// in the set, all are.
struct ColumnSet: Equatable {
  private var bits: UInt64 = 0

  static let all: ColumnSet = {
    var set = ColumnSet()
    set.bits = .max
    return set
  }()

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ column: Int) { bits |= Self.bit(column) }
  func contains(_ column: Int) -> Bool { bits & Self.bit(column) != 0 }
  mutating func formUnion(_ other: ColumnSet) { bits |= other.bits }

  func subtracting(_ other: ColumnSet) -> ColumnSet {
    var set = self
    set.bits &= ~other.bits
    return set
  }

  private static func bit(_ column: Int) -> UInt64 { 1 << UInt64(min(column, 63)) }
}
