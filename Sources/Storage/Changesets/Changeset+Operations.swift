internal import CWellspringSQLite

extension Changeset {
  /// A change of one row.
  public struct Operation: Hashable, Sendable {
    /// The kind of the change: an insertion, an update or a deletion.
    public let kind: DatabaseEvent.Kind
    /// The name of the table, as it was declared.
    public let tableName: String
    /// Whether a trigger or a foreign key made the change.
    public let isIndirect: Bool
    /// For each column, whether it is part of the primary key.
    public let isPrimaryKey: [Bool]
    /// For each column, the value before the change.
    ///
    /// In an update, columns have `nil` unless they changed or are part of the primary key. In an
    /// insertion, the array is empty.
    public let oldValues: [DatabaseValue?]
    /// For each column, the value after the change.
    ///
    /// In an update, columns have `nil` unless they changed. In a deletion, the array is empty.
    public let newValues: [DatabaseValue?]
  }

  /// Returns the changes, table by table.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the data is not a changeset.
  public func operations() throws -> [Operation] {
    try checkStructure()
    return try withBytes { count, bytes in
      var iterator: OpaquePointer?
      try Changeset.check(sqlite3changeset_start(&iterator, count, bytes))
      guard let iterator else { return [] }
      var operations: [Operation] = []
      var code = sqlite3changeset_next(iterator)
      while code == SQLITE_ROW {
        operations.append(Operation(iterator))
        code = sqlite3changeset_next(iterator)
      }
      try Changeset.check(sqlite3changeset_finalize(iterator))
      return operations
    }
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw DatabaseError(code: code, connection: nil)
    }
  }
}

extension Changeset.Operation {
  /// Makes the operation at the current position of SQLite's iterator.
  init(_ iterator: OpaquePointer) {
    var table: UnsafePointer<CChar>?
    var count: Int32 = 0
    var operation: Int32 = 0
    var indirect: Int32 = 0
    sqlite3changeset_op(iterator, &table, &count, &operation, &indirect)
    kind =
      switch operation {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
    tableName = table.map { String(cString: $0) } ?? ""
    isIndirect = indirect != 0
    var keys: UnsafeMutablePointer<UInt8>?
    sqlite3changeset_pk(iterator, &keys, nil)
    isPrimaryKey = (0..<Int(count)).map { keys?[$0] == 1 }
    oldValues =
      kind == .insert ? [] : Self.values(iterator, count, read: sqlite3changeset_old)
    newValues =
      kind == .delete ? [] : Self.values(iterator, count, read: sqlite3changeset_new)
  }

  static func values(
    _ iterator: OpaquePointer,
    _ count: Int32,
    read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  ) -> [DatabaseValue?] {
    (0..<count).map { column in
      var value: OpaquePointer?
      guard read(iterator, column, &value) == SQLITE_OK else { return nil }
      return value.map { ColumnValue(sqliteValue: $0).databaseValue }
    }
  }
}
