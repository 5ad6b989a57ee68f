/// A set of numbers of rows: row ids, or small numbers that represent keys.
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

  /// The bytes that the numbers take: three quarters of the slots of a set are used at most.
  var memory: Int {
    if let bits { return bits.capacity * MemoryLayout<UInt64>.stride }
    let slots = ids.capacity * 4 / 3
    return slots * MemoryLayout<Int64>.stride + slots / 8
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

/// Makes the elements of the rows of a statement.
///
/// Each is made at its row. If further statements fetch rows that are associated with them, all are
/// made when the statement has ended.
struct RowElements<Element> {
  private let adapter: (any RowAdapter)?
  private let decode: (Row) throws -> Element
  private let buffer: RowBuffer?
  /// One object for all rows of a run.
  private var row: Row?
  private var elements: [Element] = []

  /// - Parameters:
  ///   - request: The request with the adapter of the rows, and with their associated rows.
  ///   - db: The connection.
  ///   - decode: Makes an element of a row.
  init(
    _ request: RowForm,
    _ db: Database,
    _ decode: @escaping (Row) throws -> Element
  ) {
    adapter = request.adapter
    buffer = request.prefetching.map { RowBuffer(of: $0, db) }
    self.decode = decode
  }

  /// Adds the row at which a statement is.
  mutating func append(_ statement: Statement) throws {
    if let row {
      row.rewind()
    } else {
      row = buffer == nil ? try Row.live(in: statement, adapter) : Row(liveIn: statement)
    }
    guard let row else { return }
    if let buffer {
      try buffer.append(row)
    } else {
      elements.append(try decode(row))
    }
  }

  /// Runs a body that adds rows.
  ///
  /// - Parameter body: The body. The statement has ended after it.
  /// - Returns: The elements of all rows, in their order.
  /// - Throws: The error of the body, or of an element.
  mutating func collect(_ body: (inout Self) throws -> Void) throws -> [Element] {
    do {
      try body(&self)
      return try buffer?.decode(decode) ?? elements
    } catch {
      // Its rows hold the buffer.
      buffer?.finish()
      throw error
    }
  }
}

/// The adapter and the associated rows from which elements are made, besides the columns of a row.
struct RowForm {
  var adapter: (any RowAdapter)?
  /// The request whose associated rows further statements fetch.
  var prefetching: PreparedRequest?

  init(adapter: (any RowAdapter)?) {
    self.adapter = adapter
  }

  init(_ request: PreparedRequest) {
    adapter = request.adapter
    prefetching = request.prefetches.isEmpty ? nil : request
  }
}
