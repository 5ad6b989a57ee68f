internal import Storage

/// Finding out whether a failed statement has kept the rows that it changed before its error.
///
/// SQLite undoes them, unless the conflict is resolved by `FAIL`, which a statement, a constraint
/// or a trigger can ask for. It does not say which it has done: the rows do.
extension TransactionRecorder {
  private struct RecordedRow: Hashable {
    let table: RecordedTable
    let key: RecordedKey

    init(table: RecordedTable, key: RecordedKey) {
      self.table = table
      // A key is the same whether SQLite gives a number as an integer or as a real number.
      if case .columns(let values) = key {
        self.key = .columns(
          values.map { value in
            guard case .real(let number) = value, let integer = Int64(exactly: number) else {
              return value
            }
            return .integer(integer)
          }
        )
      } else {
        self.key = key
      }
    }
  }

  private struct History {
    let existed: Bool
    var exists: Bool
    var values: [Int: RecordedValue] = [:]
  }

  /// Whether the rows that were recorded from a position on are in the database.
  func keptRows(from position: Int) -> Bool {
    var histories: [RecordedRow: History] = [:]
    var rows: [RecordedRow] = []
    func note(_ row: RecordedRow, exists: Bool, existed: Bool, _ values: [Int: RecordedValue]) {
      if histories[row] == nil {
        histories[row] = History(existed: existed, exists: exists)
        rows.append(row)
      }
      histories[row]?.exists = exists
      if exists { histories[row]?.values.merge(values) { $1 } }
    }
    var reader = RecordedItemReader(
      draft.buffer.bytes,
      from: position,
      tables: draft.buffer.tables(before: position)
    )
    while let item = try? reader.next() {
      switch item {
      case .insert(let table, let rowID, let values):
        let key = rowID.map(RecordedKey.rowID) ?? .columns(keyValues(of: table, values))
        let all = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) })
        note(RecordedRow(table: table, key: key), exists: true, existed: false, all)
      case .delete(let table, let key):
        note(RecordedRow(table: table, key: key), exists: false, existed: true, [:])
      case .update(let table, let key, let newRowID, let changes):
        let values = Dictionary(uniqueKeysWithValues: changes.map { ($0.column, $0.value) })
        let row = RecordedRow(table: table, key: key)
        guard let newKey = newKey(of: table, key, newRowID, values) else {
          note(row, exists: true, existed: true, values)
          continue
        }
        note(row, exists: false, existed: true, [:])
        note(RecordedRow(table: table, key: newKey), exists: true, existed: false, values)
      default: continue
      }
    }
    return suspended { keptRows(rows, histories) }
  }

  /// Returns the new key of an updated row; `nil` if the key stays the same.
  private func newKey(
    of table: RecordedTable,
    _ key: RecordedKey,
    _ newRowID: Int64?,
    _ values: [Int: RecordedValue]
  ) -> RecordedKey? {
    if let newRowID { return .rowID(newRowID) }
    guard case .columns(var keyValues) = key, let columns = tables.table(named: table.name)?.key,
      columns.contains(where: { values[$0] != nil })
    else { return nil }
    for (index, column) in columns.enumerated() {
      if let value = values[column] { keyValues[index] = value }
    }
    return .columns(keyValues)
  }

  private func keyValues(of table: RecordedTable, _ values: [RecordedValue]) -> [RecordedValue] {
    tables.table(named: table.name)?.key.map { values[$0] } ?? []
  }

  private func keptRows(_ rows: [RecordedRow], _ histories: [RecordedRow: History]) -> Bool {
    for row in rows {
      guard let history = histories[row] else { continue }
      let current = current(row)
      if history.existed != history.exists { return (current != nil) == history.exists }
      guard history.exists else { continue }
      guard let current else { return false }
      if history.values.contains(where: { !current[$0.key].isSame(as: $0.value) }) { return false }
    }
    // Nothing differs, so that it does not matter.
    return true
  }

  /// Returns the values of a row in the database; `nil` if the row does not exist.
  private func current(_ row: RecordedRow) -> [RecordedValue]? {
    guard let table = tables.table(named: row.table.name) else { return nil }
    let arguments: [RecordedValue]
    let condition: String
    switch row.key {
    case .rowID(let rowID):
      arguments = [.integer(rowID)]
      condition = "\((table.rowIDName ?? "rowid").quotedDatabaseIdentifier) = ?"
    case .columns(let values):
      arguments = values
      condition = table.key.map { "\(table.columns[$0].name.quotedDatabaseIdentifier) = ?" }
        .joined(separator: " AND ")
    }
    let sql = """
      SELECT 1\(typedValues(of: table)) FROM main.\(table.name.quotedDatabaseIdentifier) \
      WHERE \(condition)
      """
    guard let statement = try? database.makeStatement(sql: sql),
      (try? statement.setArguments(arguments)) != nil, let found = try? Row.fetchAll(statement)
    else { return nil }
    let current = found.map { found in
      table.columns.indices.map { column in
        RecordedValue(type: found[2 * column + 1], found[2 * column + 2])
      }
    }
    guard case .columns(let key) = row.key else { return current.first }
    // The collation of a column finds rows with other keys too, such as `t2` for `T2`.
    return current.first { current in
      zip(table.key, key).allSatisfy { current[$0].isSame(as: $1) }
    }
  }
}

extension RecordedValue {
  /// Whether a column may hold the value: the hook gives an integer that a REAL column stores as a
  /// real number.
  fileprivate func isSame(as recorded: RecordedValue) -> Bool {
    if self == recorded { return true }
    switch (self, recorded) {
    case (.real(let real), .integer(let integer)), (.integer(let integer), .real(let real)):
      return Int64(exactly: real) == integer
    default: return false
    }
  }
}
