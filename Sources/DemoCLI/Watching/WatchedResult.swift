internal import CommandLineSupport
internal import Glibc
internal import Storage

/// The result of a watched query at one moment.
struct WatchedResult: Sendable {
  /// The names of the shown columns, which need not be unique.
  var columns: [String]

  /// The rows, with the columns that are only read as their keys.
  private var wholeRows: [WatchedRow]

  /// The key that identifies a row.
  private(set) var key: Key

  /// The key of the rows of a result.
  enum Key: Equatable {
    case wholeRow
    /// Columns that follow the shown ones.
    case appended(count: Int)
    /// Some of the shown columns, by their indexes.
    case columns([Int])
  }

  init(columns: [String], rows: [WatchedRow], key: Key = .wholeRow) {
    self.columns = columns
    self.key = key
    wholeRows = rows
  }

  /// Creates a result of values. `keys` are the keys of the rows, if the rows themselves are not
  /// their keys.
  init(columns: [String], rows: [[DatabaseValue]], keys: [[DatabaseValue]]? = nil) {
    guard let keys else {
      self.init(columns: columns, rows: rows.map { WatchedRow(cells: $0) })
      return
    }
    self.init(
      columns: columns,
      rows: zip(rows, keys).map { WatchedRow(cells: $0 + $1) },
      key: .appended(count: keys.first?.count ?? 1)
    )
  }

  /// The values of the rows.
  var rows: WatchedRows { WatchedRows(rows: wholeRows, width: columns.count) }

  /// The key of each row; `nil` if the whole row is its key.
  var keys: [[DatabaseValue]]? {
    key == .wholeRow ? nil : rows.indices.map { key(ofRow: $0) }
  }

  /// The number of values of a key; `nil` if the whole row is its key.
  var keyCount: Int? {
    switch key {
    case .wholeRow: nil
    case .appended(let count): count
    case .columns(let indexes): indexes.count
    }
  }

  /// Returns the key of a row.
  func key(ofRow index: Int) -> [DatabaseValue] {
    let cells = wholeRows[index].cells
    return switch key {
    case .wholeRow: rows[index]
    case .appended(let count): Array(cells.suffix(count))
    case .columns(let indexes): indexes.map { cells[$0] }
    }
  }

  /// Returns the hash of the key of a row.
  func keyHash(ofRow index: Int) -> Int { keyHash(of: wholeRows[index].cells[...]) }

  /// Returns the hash of the key of another row, with the columns that are only read as its key.
  func keyHash(of cells: ArraySlice<DatabaseValue>) -> Int {
    switch key {
    case .wholeRow: cells.prefix(columns.count).hashValue
    case .appended(let count): cells.suffix(count).hashValue
    case .columns(let indexes): indexes.map { cells[$0] }.hashValue
    }
  }

  /// Returns whether a row has the same key as a row of another result.
  func hasKey(atRow index: Int, of other: WatchedResult, atRow otherIndex: Int) -> Bool {
    guard case .appended(let count) = key, case .appended(let otherCount) = other.key else {
      return key(ofRow: index) == other.key(ofRow: otherIndex)
    }
    // Without arrays of the keys.
    return wholeRows[index].cells.suffix(count)
      == other.wholeRows[otherIndex].cells.suffix(otherCount)
  }

  /// Where the rows are in the memory: rows with one address are the same copy of a row.
  struct RowAddresses {
    fileprivate let bytes: UnsafeRawBufferPointer

    var count: Int { bytes.count / MemoryLayout<WatchedRow>.stride }

    // A row is one reference.
    subscript(row: Int) -> UInt {
      bytes.load(fromByteOffset: row * MemoryLayout<WatchedRow>.stride, as: UInt.self)
    }
  }

  /// Calls a body with the addresses of the rows, which are valid during the call.
  func withAddresses<Result>(_ body: (RowAddresses) -> Result) -> Result {
    precondition(MemoryLayout<WatchedRow>.size == MemoryLayout<UInt>.size, "a row is one reference")
    return wholeRows.withUnsafeBytes { body(RowAddresses(bytes: $0)) }
  }

  /// Identifies the rows by shown columns.
  ///
  /// - Throws: ``ToolError`` when there is no such column.
  mutating func setKey(_ names: [String]) throws {
    key = .columns(try Self.indexes(of: names, in: columns))
  }

  /// Returns a result of some of the rows.
  func part(_ indexes: some Sequence<Int>) -> WatchedResult {
    WatchedResult(columns: columns, rows: indexes.map { wholeRows[$0] }, key: key)
  }

  mutating func removeLast() { wholeRows.removeLast() }

  /// Returns the indexes of the columns of a key.
  ///
  /// - Throws: ``ToolError`` when there is no such column.
  static func indexes(of key: [String], in columns: [String]) throws -> [Int] {
    try key.map { name in
      let index = columns.firstIndex { $0.lowercased() == name.lowercased() }
      guard let index else {
        let others = columns.joined(separator: ", ")
        let hint = Suggestion.hint(for: name, in: columns)
        let list = hint.isEmpty ? " (its columns are \(others))" : hint
        throw ToolError("the statement has no column \(name) for --key\(list)")
      }
      return index
    }
  }
}

extension WatchedResult: Equatable {
  static func == (result: WatchedResult, other: WatchedResult) -> Bool {
    guard result.columns == other.columns, result.key == other.key,
      result.wholeRows.count == other.wholeRows.count
    else { return false }
    let areShared = result.withAddresses { rows in
      other.withAddresses { others in
        rows.count == 0
          || memcmp(rows.bytes.baseAddress!, others.bytes.baseAddress!, rows.bytes.count) == 0
      }
    }
    if areShared { return true }
    return result.key == .wholeRow ? result.rows == other.rows : result.wholeRows == other.wholeRows
  }
}
