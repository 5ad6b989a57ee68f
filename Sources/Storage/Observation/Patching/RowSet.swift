/// A set of numbers of rows: row ids, or small numbers that stand for keys.
struct RowSet: Sendable {
  private var ids: Set<Int64> = []
  /// A bit for each small number; `nil` for row ids.
  private var bits: [UInt64]?
  private var bitCount = 0

  /// - Parameters:
  ///   - rows: The rows.
  ///   - areSmall: Whether the numbers are small.
  init(_ rows: some Collection<Int64>, areSmall: Bool) {
    if areSmall {
      bits = []
      for row in rows { insert(row) }
    } else {
      ids = Set(rows)
    }
  }

  var count: Int { bits == nil ? ids.count : bitCount }

  /// The rows, in no order.
  var rows: [Int64] {
    guard let bits else { return Array(ids) }
    return (0..<Int64(bits.count * 64)).filter(contains)
  }

  /// The bytes that the numbers take: three quarters of the places of a set are used at most.
  var memory: Int {
    if let bits { return bits.capacity * MemoryLayout<UInt64>.stride }
    let places = ids.capacity * 4 / 3
    return places * MemoryLayout<Int64>.stride + places / 8
  }

  func contains(_ row: Int64) -> Bool {
    guard let bits else { return ids.contains(row) }
    let word = Int(row >> 6)
    return word < bits.count && bits[word] & (1 << UInt64(row & 63)) != 0
  }

  mutating func insert(_ row: Int64) {
    guard bits != nil else {
      ids.insert(row)
      return
    }
    guard !contains(row) else { return }
    let word = Int(row >> 6)
    while word >= bits?.count ?? 0 { bits?.append(0) }
    bits?[word] |= 1 << UInt64(row & 63)
    bitCount += 1
  }

  mutating func subtract(_ rows: Set<Int64>) {
    guard bits != nil else {
      ids.subtract(rows)
      // A set does not shrink by itself.
      if ids.capacity * 10 > ids.count * 22 { ids = Set(Array(ids)) }
      return
    }
    for row in rows where contains(row) {
      bits?[Int(row >> 6)] &= ~(1 << UInt64(row & 63))
      bitCount -= 1
    }
  }
}
