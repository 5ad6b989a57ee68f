/// The result of an insertion. It is valid only in the callbacks that receive it.
public struct InsertionSuccess {
  /// The row id of the new row.
  ///
  /// In a `WITHOUT ROWID` table it is meaningless: the row id of an earlier insertion.
  public let rowID: Int64

  /// The column that holds the row id: `id` for `id INTEGER PRIMARY KEY`; `nil` when there is none.
  public var rowIDColumn: String? {
    // Looked up lazily, because most records do not use it.
    try? db.primaryKey(recordType.databaseTableName).rowIDColumn
  }

  private let recordType: any TableRecord.Type
  private let db: Database

  init(rowID: Int64, of recordType: any TableRecord.Type, _ db: Database) {
    self.rowID = rowID
    self.recordType = recordType
    self.db = db
  }
}
