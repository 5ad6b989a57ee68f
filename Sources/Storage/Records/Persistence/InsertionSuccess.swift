/// What an insertion did. It belongs to the callbacks that are given it.
public struct InsertionSuccess {
  /// The row id of the new row. Tables `WITHOUT ROWID` have none: there it is that of an earlier row.
  public let rowID: Int64

  /// The column that holds the row id: `id` for `id INTEGER PRIMARY KEY`, `nil` where no column does.
  public var rowIDColumn: String? {
    // Looked up when somebody asks: most records don't.
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

/// What an insertion or an update did.
public struct PersistenceSuccess {
  /// The insertion, or `nil` for an update.
  public let insertion: InsertionSuccess?

  @inlinable
  init(insertion: InsertionSuccess?) {
    self.insertion = insertion
  }
}
