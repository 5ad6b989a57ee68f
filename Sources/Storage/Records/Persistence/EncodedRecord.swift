/// What a record stores, with the columns of its primary key.
struct EncodedRecord {
  let table: String
  private let container: PersistenceContainer
  private let primaryKey: PrimaryKeyInfo

  init(
    _ record: some MutablePersistableRecord,
    userInfo: [CodingUserInfoKey: Any] = [:],
    _ db: Database
  ) throws {
    table = type(of: record).databaseTableName
    container = try PersistenceContainer(record, userInfo: userInfo)
    primaryKey = try db.primaryKey(table)
  }

  /// Whether the record stores all values of the primary key, and none is NULL.
  var hasKey: Bool {
    primaryKey.columns.allSatisfy { value(of: $0)?.isNull == false }
  }

  /// The values of the primary key.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the record does not store them.
  func requiredKey() throws -> [String: DatabaseValue] {
    guard primaryKey.columns.allSatisfy({ value(of: $0) != nil }) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: primaryKey.isHidden
          ? "the table \(table) has no primary key"
          : "the record does not encode the primary key of \(table): "
            + primaryKey.columns.joined(separator: ", ")
      )
    }
    return Dictionary(uniqueKeysWithValues: primaryKey.columns.map { ($0, value(of: $0)!) })
  }

  private func value(of column: String) -> DatabaseValue? {
    let name = column.asciiLowercased
    return container.columns.firstIndex { $0.asciiLowercased == name }
      .map { container.values[$0] }
  }

  private func isKey(_ column: String) -> Bool {
    let name = column.asciiLowercased
    return primaryKey.columns.contains { $0.asciiLowercased == name }
  }

  /// All columns with their values.
  var assignments: [ColumnAssignment] { container.assignments }

  /// Those among some columns that an update changes: all but the primary key.
  func assignments(of names: Set<String>?) -> [ColumnAssignment] {
    let names = names.map { Set($0.map(\.asciiLowercased)) }
    return assignments.filter { assignment in
      names?.contains(assignment.column.asciiLowercased) ?? !isKey(assignment.column)
    }
  }

  /// The rows with this record's key: one, or none.
  func rows(returning selection: [any SQLSelectable] = []) throws -> RowSelection {
    let key = try requiredKey()
    let conditions = primaryKey.columns.map { (Column($0) == key[$0]!).node }
    return RowSelection(
      request: SelectStatement(
        select: SelectClause(selection: [AllColumns().sqlSelection]),
        from: FromClause(table: TableReference(tableName: table)),
        filter: ConditionClause(keyword: .where, conditions: conditions)
      ),
      returning: ReturningClause(selection: selection.map(\.sqlSelection))
    )
  }

  /// The columns of the key, by themselves: an update of nothing else still says whether there is a row.
  var keyAssignments: [ColumnAssignment] {
    primaryKey.columns.map { ColumnAssignment($0, Column($0).sqlExpression) }
  }

  /// What is thrown when a statement has found no row with this record's key.
  func notFound(by statement: Statement) throws -> RecordError {
    .recordNotFound(databaseTableName: table, key: try requiredKey(), sql: statement.sql)
  }
}

extension PersistenceContainer {
  /// What a record stores.
  init(_ record: some EncodableRecord, userInfo: [CodingUserInfoKey: Any] = [:]) throws {
    self.init(userInfo: userInfo)
    try record.encode(to: &self)
  }

  /// All columns with their values.
  var assignments: [ColumnAssignment] {
    zip(columns, values).map { ColumnAssignment($0, $1.sqlExpression) }
  }
}

extension [ColumnAssignment] {
  /// The assignments to other columns than some.
  func leaving(out columns: [String]) -> [ColumnAssignment] {
    let names = Set(columns.map(\.asciiLowercased))
    return filter { !names.contains($0.column.asciiLowercased) }
  }

  /// These assignments and others, which go before.
  func replaced(by others: [ColumnAssignment]) -> [ColumnAssignment] {
    leaving(out: others.map(\.column)) + others
  }
}
