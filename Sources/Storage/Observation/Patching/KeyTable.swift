/// Numbers that represent the keys of rows without row ids: the index of each key among all added
/// keys.
///
/// The keys are held in one piece of memory, beside which each takes eight bytes.
struct KeyTable: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key ends.
  private var ends: [UInt32] = []
  /// A part of the hash of each key, so that few keys are compared.
  private var hashes: [UInt32] = []

  var count: Int { ends.count }

  var memory: Int {
    bytes.capacity + (ends.capacity + hashes.capacity) * MemoryLayout<UInt32>.stride
  }

  /// Adds a key that is not in the table, without looking.
  ///
  /// - Parameter write: Appends the key, and returns whether the values form a key.
  /// - Returns: Its number; `nil` without a key, or without memory for it.
  mutating func append(_ write: (inout [UInt8]) -> Bool) -> Int64? {
    let start = bytes.count
    guard write(&bytes), let end = UInt32(exactly: bytes.count) else { return nil }
    ends.append(end)
    hashes.append(Self.hash(bytes[start...]))
    return Int64(ends.count - 1)
  }

  /// Returns the key of a number.
  func key(_ number: Int64) -> RowKey { RowKey(bytes: Array(bytes[range(Int(number))])) }

  /// Returns the numbers of keys. Keys without a number are added.
  mutating func numbers(of keys: Set<RowKey>) -> [RowKey: Int64]? {
    var wanted: [UInt32: [RowKey]] = [:]
    for key in keys { wanted[Self.hash(key.bytes[...]), default: []].append(key) }
    var numbers: [RowKey: Int64] = [:]
    numbers.reserveCapacity(keys.count)
    for (hash, keys) in wanted where wanted.count <= 4 {
      // Looking for a few is quicker than looking each one up.
      var index = hashes.startIndex
      while let found = hashes[index...].firstIndex(of: hash) {
        find(keys, at: found, &numbers)
        index = found + 1
      }
    }
    if wanted.count > 4 {
      for (index, hash) in hashes.enumerated() {
        if let keys = wanted[hash] { find(keys, at: index, &numbers) }
      }
    }
    for key in keys where numbers[key] == nil {
      guard
        let number = append({
          $0 += key.bytes; return true
        })
      else { return nil }
      numbers[key] = number
    }
    return numbers
  }

  private func find(_ keys: [RowKey], at index: Int, _ numbers: inout [RowKey: Int64]) {
    let range = range(index)
    for key in keys where bytes[range].elementsEqual(key.bytes) { numbers[key] = Int64(index) }
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// Returns a table of some of the keys, whose numbers are their indexes among these.
  func selecting(_ numbers: some Collection<Int64>) -> KeyTable {
    var table = KeyTable()
    table.bytes.reserveCapacity(numbers.reduce(0) { $0 + range(Int($1)).count })
    table.ends.reserveCapacity(numbers.count)
    table.hashes.reserveCapacity(numbers.count)
    for number in numbers {
      table.bytes += bytes[range(Int(number))]
      table.ends.append(UInt32(table.bytes.count))
      table.hashes.append(hashes[Int(number)])
    }
    return table
  }

  /// Whether so many keys are no longer in use that the used ones should be moved to another table.
  func isSparse(inUse: Int) -> Bool { count > inUse + inUse / 8 + 256 }

  private static func hash(_ key: ArraySlice<UInt8>) -> UInt32 {
    var hasher = Hasher()
    key.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
