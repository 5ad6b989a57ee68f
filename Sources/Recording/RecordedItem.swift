/// One step of a recorded transaction.
package enum RecordedItem: Hashable, Sendable {
  /// A row was inserted. It has a row id unless its table is `WITHOUT ROWID`.
  case insert(RecordedTable, rowID: Int64?, values: [RecordedValue])
  /// Columns of a row changed, and its row id if the new one is given.
  case update(RecordedTable, RecordedKey, newRowID: Int64?, changes: [RecordedChange])
  /// A row was deleted.
  case delete(RecordedTable, RecordedKey)
  /// A statement changed the schema.
  case schema(sql: String)
  /// The sequences of `AUTOINCREMENT` have these values. Sequences in `names` that have no row are
  /// gone; without names, all sequences without a row are gone.
  case sequences(names: [RecordedValue]?, rows: [RecordedSequence])
  /// `PRAGMA user_version` was set.
  case userVersion(Int64)
  /// `PRAGMA application_id` was set.
  case applicationID(Int64)
  /// Something changed that rows cannot tell.
  case snapshotNeeded(reason: String)
}

/// A table of which rows were recorded.
package struct RecordedTable: Hashable, Sendable {
  /// The name, without its schema, which is `main`.
  package let name: String
  /// How many columns its rows are recorded with: all except generated ones and the column that is
  /// another name for the row id.
  package let columnCount: Int
  /// How many columns are the key of a table `WITHOUT ROWID`; 0 for a table with row ids.
  package let keyCount: Int
}

/// The key that identifies a row.
package enum RecordedKey: Hashable, Sendable {
  case rowID(Int64)
  /// The values of the primary key of a table `WITHOUT ROWID`, in the order of the key.
  case columns([RecordedValue])
}

/// The new value of a column.
package struct RecordedChange: Hashable, Sendable {
  /// The index among the recorded columns of the table.
  package let column: Int
  package let value: RecordedValue
}

/// A row of `sqlite_sequence`.
package struct RecordedSequence: Hashable, Sendable {
  package let rowID: Int64
  package let name: RecordedValue
  package let value: RecordedValue
}

/// The first byte of each item in the binary form of a recorded transaction.
enum RecordedItemCode: UInt8 {
  case table = 1
  case insert
  case update
  case delete
  case schema
  case sequences
  case allSequences
  case userVersion
  case applicationID
  case snapshotNeeded
}

/// The first byte of each value in the binary form of a recorded transaction.
enum RecordedValueCode: UInt8 {
  case null = 0
  case integer
  case real
  case text
  case blob
}
