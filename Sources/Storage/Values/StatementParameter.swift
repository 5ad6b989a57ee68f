public import CWellspringSQLite
public import FoundationEssentials

/// A parameter of a statement to which a value can be bound.
///
/// Each method returns SQLite's result code: 0 on success, `SQLITE_TOOBIG` for a text or a blob
/// that exceeds the connection's limit.
public struct StatementParameter {
  @usableFromInline let sqliteStatement: OpaquePointer
  /// The index of the parameter, counted from 1.
  public let index: Int32

  @inlinable
  init(_ sqliteStatement: OpaquePointer, _ index: Int32) {
    self.sqliteStatement = sqliteStatement
    self.index = index
  }

  /// Binds NULL.
  @inlinable
  public func bindNull() -> Int32 { sqlite3_bind_null(sqliteStatement, index) }

  /// Binds an INTEGER.
  @inlinable
  public func bind(_ value: Int64) -> Int32 { sqlite3_bind_int64(sqliteStatement, index, value) }

  /// Binds a REAL.
  @inlinable
  public func bind(_ value: Double) -> Int32 { sqlite3_bind_double(sqliteStatement, index, value) }

  /// Binds a TEXT in full, NUL characters included.
  public func bind(_ value: String) -> Int32 {
    var value = value
    return value.withUTF8 { bind(utf8: $0) }
  }

  /// Binds a BLOB.
  public func bind(_ data: Data) -> Int32 {
    data.withUnsafeBytes { bind(blob: $0) }
  }

  /// Binds a BLOB. SQLite copies the bytes.
  public func bind(blob bytes: UnsafeRawBufferPointer) -> Int32 {
    // An empty blob may have no address, and SQLite binds NULL for a null address.
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      return sqlite3_bind_zeroblob(sqliteStatement, index, 0)
    }
    return sqlite3_bind_blob64(
      sqliteStatement,
      index,
      start,
      UInt64(bytes.count),
      wellspring_transient()
    )
  }

  /// Binds a TEXT given as valid UTF-8. SQLite copies the bytes.
  public func bind(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    // An empty text has no address, and SQLite binds NULL for a null address.
    guard let start = bytes.baseAddress else {
      return sqlite3_bind_text(sqliteStatement, index, "", 0, wellspring_transient())
    }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text64(
        sqliteStatement,
        index,
        $0,
        UInt64(bytes.count),
        wellspring_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
  }
}
