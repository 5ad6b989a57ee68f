internal import CWellspringSQLite

/// The binary form of the running transaction, which grows with each row and is cut off when a
/// savepoint or a statement is undone.
struct RecordingBuffer {
  private(set) var bytes: [UInt8] = [RecordedTransaction.format]
  /// The tables that were named, and where.
  private var named: [(table: RecordedTable, position: Int)] = []
  /// Whether SQLite did not give a value.
  private(set) var lacksValue = false

  /// Where the next item begins.
  var position: Int { bytes.count }

  var isEmpty: Bool { bytes.count <= 1 }

  /// The tables that items before a position have named.
  func tables(before position: Int) -> [RecordedTable] {
    named.prefix { $0.position < position }.map(\.table)
  }

  /// Removes everything, and keeps the memory of small transactions.
  mutating func removeAll() {
    if bytes.count > 1 << 16 { bytes = [] }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(RecordedTransaction.format)
    named.removeAll(keepingCapacity: true)
    lacksValue = false
  }

  /// Removes all items from a position on.
  mutating func cut(at position: Int) {
    guard position < bytes.count else { return }
    bytes.removeSubrange(position...)
    while let last = named.last, last.position >= position { named.removeLast() }
  }

  /// Returns the number of a table, and names it before the first row.
  mutating func number(of table: RecordedTable) -> Int {
    if let last = named.last, last.table == table { return named.count - 1 }
    if let known = named.lastIndex(where: { $0.table == table }) { return known }
    named.append((table, bytes.count))
    bytes.append(.table)
    bytes.append(text: table.name)
    bytes.append(count: table.columnCount)
    bytes.append(count: table.keyCount)
    return named.count - 1
  }

  mutating func begin(_ code: RecordedItemCode) { bytes.append(code) }
  mutating func begin(_ code: RecordedItemCode, table number: Int) {
    bytes.append(code)
    bytes.append(count: number)
  }
  mutating func append(signed number: Int64) { bytes.append(signed: number) }
  mutating func append(count: Int) { bytes.append(count: count) }
  mutating func append(byte: UInt8) { bytes.append(byte) }
  mutating func append(_ value: RecordedValue) { bytes.append(value) }

  /// Appends a value that SQLite owns.
  mutating func append(_ value: OpaquePointer?) {
    guard let value else { return appendMissingValue() }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      bytes.append(RecordedValueCode.integer.rawValue)
      bytes.append(signed: sqlite3_value_int64(value))
    case SQLITE_FLOAT:
      bytes.append(real: sqlite3_value_double(value))
    case SQLITE_TEXT:
      // The text must be converted before its bytes are counted. Even an empty text has a start.
      let start = sqlite3_value_text(value).map(UnsafeRawPointer.init)
      append(.text, start, count: start == nil ? nil : sqlite3_value_bytes(value))
    case SQLITE_BLOB:
      // Without memory, the value is NULL afterwards, and has no bytes any more.
      let count = sqlite3_value_bytes(value)
      let start = sqlite3_value_blob(value)
      append(.blob, start, count: start == nil && count > 0 ? nil : count)
    default:
      bytes.append(RecordedValueCode.null.rawValue)
    }
  }

  /// Notes that SQLite did not give a value.
  mutating func noteMissingValue() { lacksValue = true }

  private mutating func appendMissingValue() {
    noteMissingValue()
    bytes.append(RecordedValueCode.null.rawValue)
  }

  /// Appends a text or a blob. Its number of bytes is `nil` if SQLite had no memory for them.
  private mutating func append(
    _ code: RecordedValueCode,
    _ start: UnsafeRawPointer?,
    count: Int32?
  ) {
    guard let count else { return appendMissingValue() }
    bytes.append(code.rawValue)
    bytes.append(count: Int(count))
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  mutating func appendSchema(_ sql: String) {
    bytes.append(.schema)
    bytes.append(text: sql)
  }

  mutating func appendSnapshotNeeded(_ reason: String) {
    bytes.append(.snapshotNeeded)
    bytes.append(text: reason)
  }

  mutating func appendSequences(names: [RecordedValue]?, _ rows: [RecordedSequence]) {
    bytes.append(names == nil ? .allSequences : .sequences)
    if let names {
      bytes.append(count: names.count)
      for name in names { bytes.append(name) }
    }
    bytes.append(count: rows.count)
    for row in rows {
      bytes.append(signed: row.rowID)
      bytes.append(row.name)
      bytes.append(row.value)
    }
  }

  /// Returns the transaction so far, and removes it.
  mutating func take() -> RecordedTransaction {
    let isSmall = bytes.count <= 1 << 12
    // Copying a few bytes costs less than growing the array of the next transaction.
    let taken = isSmall ? bytes.withUnsafeBufferPointer(Array.init) : bytes
    if !isSmall { bytes = [] }
    removeAll()
    return RecordedTransaction(recorded: taken)
  }
}
