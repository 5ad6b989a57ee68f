/// The transactions of one entry, in the order of their commits.
struct EntryBatch: Hashable, Sendable {
  /// The recorded transactions in their binary form.
  var transactions: [[UInt8]]

  /// Returns the body of an entry.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(transactions.count))
    for transaction in transactions {
      bytes.append(number: UInt32(transaction.count))
      bytes += transaction
    }
    return bytes
  }

  /// Reads the body of an entry, which may hold anything.
  ///
  /// - Throws: ``EntryError``.
  static func decode(_ bytes: [UInt8]) throws(EntryError) -> EntryBatch {
    var reader = ByteReader(bytes[...])
    let count = try reader.integer(UInt32.self)
    // Each transaction has a length, so a count that lies is found before memory is reserved.
    guard count > 0, Int(count) <= reader.remaining / 4 else {
      throw .malformed("it has \(count) transactions in \(bytes.count) bytes")
    }
    var transactions: [[UInt8]] = []
    for _ in 0..<count {
      transactions.append(Array(try reader.take(Int(try reader.integer(UInt32.self)))))
    }
    guard reader.remaining == 0 else { throw .malformed("it has bytes after its transactions") }
    return EntryBatch(transactions: transactions)
  }
}
