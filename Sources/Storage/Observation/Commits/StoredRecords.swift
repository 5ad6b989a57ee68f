internal import WellspringPlatform

/// What the records of a table hold, and what is to be found out about changed ones.
struct StoredRecords {
  /// The columns in the order in which they are stored.
  let columns: [ColumnName]
  /// The columns whose values queries look for.
  let conditionColumns: Set<ConditionColumn>
  let isUTF8: Bool

  /// Returns the columns that differ in an updated row; `nil` if any may.
  fileprivate func changedColumns(of row: ChangedRow) -> Set<ColumnName>? {
    guard let before = row.before, let after = row.after else { return nil }
    guard let places = after.places(differingFrom: before), !places.isEmpty,
      places.allSatisfy(columns.indices.contains)
    else { return nil }
    return Set(places.map { columns[$0] })
  }

  /// Returns the values of a column in rows before and after their changes; `nil` if one of them is
  /// not known.
  fileprivate func values(
    of column: ConditionColumn,
    in rows: [ChangedRow]
  ) -> [ValueKey: RowsOfValue]? {
    guard let place = columns.firstIndex(of: column.name) else { return nil }
    var values: [ValueKey: RowsOfValue] = [:]
    for row in rows {
      let records = [Fault.isOn(.pageValues) ? nil : row.before, row.after]
      for record in records.compactMap({ $0 }) {
        guard let key = key(of: record.value(at: place), column.collation) else { return nil }
        if values[key]?.insert(row.id) == nil { values[key] = .one(row.id) }
      }
    }
    return values
  }

  private func key(of value: RecordFields.Value?, _ collation: RowKeyCollation) -> ValueKey? {
    var bytes: [UInt8] = []
    switch value {
    case nil: return nil
    case .null: break
    case .integer(let number): bytes.appendKey(number)
    case .real(let number): bytes.appendKey(number)
    case .text(let text): guard isUTF8, bytes.appendKey(text: text, collation) else { return nil }
    case .blob(let blob): bytes.appendKey(blob)
    }
    return bytes.count <= ValueKey.maximumLength ? ValueKey(bytes: bytes) : nil
  }
}

extension DatabaseChanges.Table {
  /// The changes of rows by foreign commits.
  init(_ rows: [ChangedRow], _ records: StoredRecords) {
    self.init(columns: .some([]), rowIDs: .some(Set(rows.map(\.id))))
    for row in rows {
      columns = columns.union(Extent(records.changedColumns(of: row)))
      if columns.isAll { break }
    }
    for column in records.conditionColumns {
      values[column] = records.values(of: column, in: rows)
    }
  }
}
