/// The columns and values that a record stores, with the primary key of its table.
struct EncodedRecord {
  let table: String
  private let container: PersistenceContainer
  private let primaryKey: PrimaryKeyInfo

  init(
    _ record: some TableRecord & EncodableRecord,
    userInfo: [CodingUserInfoKey: Any] = [:],
    _ db: Database
  ) throws {
    table = type(of: record).databaseTableName
    container = try PersistenceContainer(record, userInfo: userInfo)
    // A view without a key still accepts insertions, through triggers.
    primaryKey = try db.tableInfo(table).primaryKey
  }

  /// Whether the record stores all columns of the primary key, and none is NULL.
  var hasKey: Bool {
    primaryKey.columns.allSatisfy { value(of: $0)?.isNull == false }
  }

  /// Returns the values of the primary key.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the record does not store all columns of
  ///   the key.
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

  private func value(of column: String) -> DatabaseValue? { container.collectedValue(of: column) }

  private func isKey(_ column: String) -> Bool {
    let name = column.asciiLowercased
    return primaryKey.columns.contains { $0.asciiLowercased == name }
  }

  /// All columns with their values.
  var assignments: [ColumnAssignment] { container.assignments }

  /// Returns the assignments of an update: to the given columns, or to all columns except the
  /// primary key.
  func assignments(of names: Set<String>?) -> [ColumnAssignment] {
    let names = names.map { Set($0.map(\.asciiLowercased)) }
    return assignments.filter { assignment in
      names?.contains(assignment.column.asciiLowercased) ?? !isKey(assignment.column)
    }
  }

  /// Returns a selection of the row with this record's primary key. A key that is NULL identifies
  /// no row, although SQLite can store several rows with such keys.
  func rows(returning selection: [any SQLSelectable] = []) throws -> RowSelection {
    let key = try requiredKey()
    // `= NULL` is never true, where `==` would write IS NULL.
    let conditions = primaryKey.columns.map { column in
      key[column]!.isNull
        ? SQL("\(Column(column)) = NULL").sqlExpression.node : (Column(column) == key[column]!).node
    }
    return RowSelection(
      SelectStatement(
        select: SelectClause(selection: [AllColumns().sqlSelection]),
        from: FromClause(table: TableReference(tableName: table)),
        filter: ConditionClause(keyword: .where, conditions: conditions)
      ),
      returning: selection.map(\.sqlSelection)
    )
  }

  /// Assignments of the key columns to themselves. An update that changes nothing else still
  /// reports whether the row exists.
  var keyAssignments: [ColumnAssignment] {
    primaryKey.columns.map { ColumnAssignment($0, Column($0).sqlExpression) }
  }

  /// Returns the error of a row that does not exist, or that the database ignored. A column of the
  /// key that the record does not encode counts as NULL.
  func notFound() -> RecordError {
    let key = primaryKey.columns.map { ($0, value(of: $0) ?? .null) }
    return .recordNotFound(
      databaseTableName: table,
      key: Dictionary(uniqueKeysWithValues: key)
    )
  }
}

extension [ColumnAssignment] {
  /// Returns the assignments to columns other than `columns`.
  func excluding(_ columns: [String]) -> [ColumnAssignment] {
    let names = Set(columns.map(\.asciiLowercased))
    return filter { !names.contains($0.column.asciiLowercased) }
  }

  /// Returns these assignments with additional ones, which override assignments to the same
  /// columns.
  func overridden(by assignments: [ColumnAssignment]) -> [ColumnAssignment] {
    excluding(assignments.map(\.column)) + assignments
  }
}
