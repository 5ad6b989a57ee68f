/// The columns that the coding keys of one type name, by the keys' bytes.
///
/// To ask a key for its text and to find the column of that text takes as long as reading a column.
/// A key type whose values are one byte, as the compiler makes them for up to 256 properties, needs
/// that once for each key and result instead of once for each value.
struct KeyColumns<Key: CodingKey> {
  private let sqliteStatement: OpaquePointer
  private let columns: UnsafeMutablePointer<Int16>

  /// Whether keys of the type are told apart by one byte.
  static var isPossible: Bool { MemoryLayout<Key>.size == 1 && _isPOD(Key.self) }

  /// Creates the table of a statement's rows.
  ///
  /// - Parameters:
  ///   - columns: The memory of ``allocateKeyColumns()``. It must outlive the table.
  ///   - sqliteStatement: The statement.
  init(_ columns: UnsafeMutablePointer<Int16>, of sqliteStatement: OpaquePointer) {
    self.columns = columns
    self.sqliteStatement = sqliteStatement
  }

  /// The column of a key; `nil` while it was not found.
  subscript(key: Key) -> Int? {
    @inline(__always) get {
      let column = columns[Self.byte(key)]
      return column >= 0 ? Int(column) : nil
    }
    nonmutating set { columns[Self.byte(key)] = newValue.flatMap(Int16.init(exactly:)) ?? -1 }
  }

  /// Returns the value of the current row in the column of a key; `nil` while the column was not
  /// found.
  @inline(__always)
  func value(_ key: Key) -> ColumnValue? {
    let column = columns[Self.byte(key)]
    return column >= 0 ? ColumnValue(sqliteStatement, Int32(column)) : nil
  }

  @inline(__always)
  private static func byte(_ key: Key) -> Int { Int(unsafeBitCast(key, to: UInt8.self)) }
}

/// Allocates the memory of ``KeyColumns``, in which no column is known.
func allocateKeyColumns() -> UnsafeMutablePointer<Int16> {
  let columns = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
  columns.initialize(repeating: -1, count: 256)
  return columns
}
