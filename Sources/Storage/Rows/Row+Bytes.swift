public import FoundationEssentials

extension Row {
  /// Calls `body` with the bytes of a BLOB or a TEXT, without copying them, or with `nil` for NULL.
  ///
  /// The data is valid only during the call and must not escape the closure.
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or it holds a number, and the
  ///   errors of `body`.
  public func withUnsafeData<Result>(
    atIndex index: Int,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    try withBytes(at: index) { bytes in
      guard let bytes else { return try body(nil) }
      guard let start = bytes.baseAddress, bytes.count > 0 else { return try body(Data()) }
      return try body(
        Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
          count: bytes.count,
          deallocator: .none
        )
      )
    }
  }

  /// Calls `body` with the bytes of a BLOB or a TEXT, without copying them, or with `nil` for NULL.
  ///
  /// The data is valid only during the call and must not escape the closure.
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or it holds a number, and the
  ///   errors of `body`.
  public func withUnsafeData<Result>(
    named name: String,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    guard let index = index(ofColumn: name) else { throw missingColumn(name, Data.self) }
    return try withUnsafeData(atIndex: index, body)
  }

  /// Calls `body` with the bytes of a BLOB or a TEXT, without copying them, or with `nil` for NULL.
  ///
  /// The data is valid only during the call and must not escape the closure.
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or it holds a number, and the
  ///   errors of `body`.
  public func withUnsafeData<Result>(
    at column: some NamedColumn,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    try withUnsafeData(named: column.name, body)
  }

  /// Calls `body` with the bytes of a BLOB or a TEXT, without copying them. The bytes cannot escape
  /// the closure.
  ///
  ///     let size = try row.withSpan(atIndex: 0) { bytes in bytes.byteCount }
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or it holds NULL or a number,
  ///   and the errors of `body`.
  public func withSpan<Result>(
    atIndex index: Int,
    _ body: (RawSpan) throws -> Result
  ) throws -> Result {
    try withBytes(at: index) { bytes in
      guard let bytes else { throw mismatch(atIndex: index, Data.self) }
      return try body(bytes.bytes)
    }
  }

  private func withBytes<Result>(
    at index: Int,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    guard (0..<count).contains(index) else { throw missingColumn("\(index)", Data.self) }
    return try withColumn(
      at: index,
      live: { column in
        if column.isNull { return try body(nil) }
        guard column.hasBytes else { throw mismatch(atIndex: index, Data.self) }
        return try column.withUnsafeBytes { try body($0) }
      },
      copied: { value in
        switch value.storage {
        case .null: return try body(nil)
        case .blob(let data): return try data.withUnsafeBytes { try body($0) }
        case .string(var text): return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
        case .int64, .double: throw mismatch(atIndex: index, Data.self)
        }
      }
    )
  }
}
