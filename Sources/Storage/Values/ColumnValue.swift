public import CWellspringSQLite
public import FoundationEssentials

/// A value in a statement's current row, owned by SQLite.
///
/// It is valid only until the statement's next step, and only on the thread of the database access.
public struct ColumnValue {
  // SQLite calls this an unprotected value, because another thread could convert it meanwhile.
  // Reading it is safe here because only one thread at a time uses a connection.
  // https://www.sqlite.org/c3ref/value.html
  // It is optional only because SQLite's functions take an optional: there is a value.
  @usableFromInline let sqliteValue: OpaquePointer?

  @inlinable
  init(_ sqliteStatement: OpaquePointer?, _ index: Int32) {
    sqliteValue = sqlite3_column_value(sqliteStatement, index)
  }

  init(sqliteValue: OpaquePointer) {
    self.sqliteValue = sqliteValue
  }

  /// SQLite's code for the storage class: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`,
  /// `SQLITE_BLOB` or `SQLITE_NULL`.
  @inlinable public var type: Int32 { sqlite3_value_type(sqliteValue) }

  /// Whether the value is NULL.
  @inlinable public var isNull: Bool { type == SQLITE_NULL }

  /// Whether the value is a TEXT or a BLOB.
  var hasBytes: Bool { type == SQLITE_TEXT || type == SQLITE_BLOB }

  /// The value of an INTEGER; meaningless for the other classes.
  @inlinable public var int64: Int64 { sqlite3_value_int64(sqliteValue) }

  /// The value of a REAL; meaningless for the other classes.
  @inlinable public var double: Double { sqlite3_value_double(sqliteValue) }

  /// Calls `body` with the bytes of a TEXT (in UTF-8) or a BLOB, without copying them.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let count = Int(sqlite3_value_bytes(sqliteValue))
    return try body(UnsafeRawBufferPointer(start: sqlite3_value_blob(sqliteValue), count: count))
  }

  /// The content of a TEXT, or `nil` when its bytes are not valid UTF-8.
  ///
  /// The text is read in full, NUL characters included.
  @inline(never)
  public var string: String? {
    // Not copied into the code that reads a column: a call costs less than the room it would take.
    guard let bytes = sqlite3_value_text(sqliteValue) else { return nil }
    return UTF8Text.string(terminated: bytes, count: Int(sqlite3_value_bytes(sqliteValue)))
  }

  /// The bytes of a TEXT (in UTF-8) or a BLOB.
  public var data: Data {
    withUnsafeBytes { Data($0) }
  }

  /// A copy of the value.
  ///
  /// A TEXT that is not valid UTF-8 becomes a BLOB with the same bytes, so that no byte is lost.
  public var databaseValue: DatabaseValue {
    switch type {
    case SQLITE_INTEGER: DatabaseValue(storage: .int64(int64))
    case SQLITE_FLOAT: DatabaseValue(storage: .double(double))
    case SQLITE_TEXT: DatabaseValue(storage: string.map { .string($0) } ?? .blob(data))
    case SQLITE_BLOB: DatabaseValue(storage: .blob(data))
    default: .null
    }
  }
}

/// A value of a generic type that is copied often, such as the coding container of all rows.
///
/// To copy a value, Swift needs the metadata of its type. A function that is generic over the
/// coding key would look the metadata of the container up at each call, which takes as long as two
/// columns. The class of this object has it.
final class ReusedValue<Value> {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  // Inlined or specialized, it would look the metadata up.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func copy() -> Value { value }
}
