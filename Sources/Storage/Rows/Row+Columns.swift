public import Foundation

// MARK: - Questions about columns

extension Row {
  /// Returns whether a column holds NULL. No value is copied or converted.
  ///
  /// - Precondition: The row has a column `index`.
  public func hasNull(atIndex index: Int) -> Bool {
    withColumn(at: index, live: { $0.isNull }, copied: { $0.isNull })
  }

  /// Whether some column, or some column of a scope, holds something else than NULL.
  ///
  /// The row of an outer join that has found nothing has NULL only.
  public var containsNonNullValue: Bool {
    (0..<count).contains { !hasNull(atIndex: $0) }
      || scopes.contains { $0.row.containsNonNullValue }
  }

  /// Returns the first value of some columns that is not NULL, or `nil`.
  ///
  ///     let name: String? = row.coalesce(["nickname", "name"])
  ///
  /// - Precondition: There are such columns, and their values fit the type.
  public func coalesce<Value: DatabaseValueConvertible>(
    _ names: some Collection<String>
  ) -> Value? {
    for name in names {
      if let value = self[name] as Value? { return value }
    }
    return nil
  }

  /// Decodes the value of the column of this name, in whatever case, or returns `nil` when there is no such
  /// column, or it holds NULL.
  ///
  /// - Throws: ``RowDecodingError`` when several columns have the name, or when the value does not fit.
  public func decodeIfPresent<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn name: String
  ) throws -> Value? {
    try hasColumn(name) ? decode(Value?.self, forColumn: name) : nil
  }

  /// Decodes the value of a column, counted from 0, or returns `nil` when there is no such column, or it
  /// holds NULL.
  ///
  /// - Throws: ``RowDecodingError`` when the value does not fit.
  public func decodeIfPresent<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    atIndex index: Int
  ) throws -> Value? {
    try (0..<count).contains(index) ? decode(Value?.self, atIndex: index) : nil
  }
}

// MARK: - Borrowed bytes

extension Row {
  /// Runs `body` over the bytes of a BLOB or a TEXT, or over `nil` for NULL, without copying them.
  ///
  /// The data is valid during the call only: it must not leave the closure.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column, or it holds a number; and what `body`
  ///   throws.
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

  /// Runs `body` over the bytes of a BLOB or a TEXT, or over `nil` for NULL, without copying them.
  ///
  /// The data is valid during the call only: it must not leave the closure.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column, or it holds a number; and what `body`
  ///   throws.
  public func withUnsafeData<Result>(
    named name: String,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    guard let index = index(ofColumn: name) else { throw missingColumn(name, Data.self) }
    return try withUnsafeData(atIndex: index, body)
  }

  /// Runs `body` over the bytes of a BLOB or a TEXT, without copying them. They cannot leave the closure.
  ///
  ///     let size = try row.withSpan(atIndex: 0) { bytes in bytes.byteCount }
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column, or it holds NULL or a number; and what
  ///   `body` throws.
  public func withSpan<Result>(
    atIndex index: Int,
    _ body: (RawSpan) throws -> Result
  ) throws -> Result {
    try withBytes(at: index) { bytes in
      guard let bytes else { throw misfit(atIndex: index, Data.self) }
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
        guard column.hasBytes else { throw misfit(atIndex: index, Data.self) }
        return try column.withUnsafeBytes { try body($0) }
      },
      copied: { value in
        switch value.storage {
        case .null: return try body(nil)
        case .blob(let data): return try data.withUnsafeBytes { try body($0) }
        case .string(var text): return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
        case .int64, .double: throw misfit(atIndex: index, Data.self)
        }
      }
    )
  }
}
