/// The changes of a transaction.
enum DatabaseChanges: Sendable {
  /// The changes of one table, without values.
  struct Table: Sendable {
    /// The columns of updated rows; all of them if rows were inserted or deleted, which changes
    /// every query over the table.
    var columns: Extent<ColumnName>
    var rowIDs: Extent<Int64>
    /// The keys of the rows of a table without row ids, if they are known.
    var keys: Extent<RowKey> = .all
    /// The values of the rows before and after their changes, by column, with the rows that have
    /// them; of other columns, the values are not known.
    var values: [ConditionColumn: [ValueKey: RowsOfValue]] = [:]

    static let all = Table(columns: .all, rowIDs: .all)

    /// Whether any row may have been inserted, deleted or updated.
    var isAll: Bool { columns.isAll && rowIDs.isAll && keys.isAll }

    func union(_ other: Table) -> Table {
      Table(
        columns: columns.union(other.columns),
        rowIDs: rowIDs.union(other.rowIDs),
        keys: keys.union(other.keys),
        values: values.reduce(into: [:]) { union, found in
          if let others = other.values[found.key] {
            union[found.key] = found.value.merging(others) { $0.union($1) }
          }
        }
      )
    }

    /// The rows that have changed; `nil` if they are not known.
    var rows: RowIdentities? {
      rowIDs.elements.map(RowIdentities.rowIDs) ?? keys.elements.map(RowIdentities.keys)
    }

    /// The values of a column before and after the changes; `nil` if they are not known.
    func keys(of column: ConditionColumn) -> [ValueKey]? {
      if column.isRowID { return rowIDs.elements.map { $0.map(ValueKey.init(rowID:)) } }
      return values[column].map { Array($0.keys) }
    }

    func touches(_ part: DatabaseRegion.Table) -> Bool {
      columns.overlaps(part.columns) && rowIDs.overlaps(part.rowIDs)
        && mayHave(part.values)
    }

    /// Whether a changed row may have one of several values, before or after its change.
    private func mayHave(_ wanted: Extent<SoughtValues>) -> Bool {
      guard let wanted = wanted.elements else { return true }
      return wanted.contains { sought in
        if sought.column.isRowID {
          return rowIDs.elements.map { $0.contains(where: sought.range.contains(rowID:)) } ?? true
        }
        guard let changed = values[sought.column] else { return true }
        return sought.range.onlyKey.map { changed[$0] != nil }
          ?? changed.keys.contains(where: sought.range.contains)
      }
    }

    /// Returns the rows that have changed and may have one of several values, before or after the
    /// change.
    ///
    /// - Returns: The rows; `nil` if the changed rows are not known.
    func rows(having wanted: Extent<SoughtValues>) -> RowIdentities? {
      guard let rows, rows.count > 1, let wanted = wanted.elements else { return rows }
      var met: Set<Int64> = []
      for sought in wanted {
        if sought.column.isRowID, let rowIDs = rowIDs.elements {
          met.formUnion(rowIDs.filter(sought.range.contains(rowID:)))
          continue
        }
        guard let changed = values[sought.column] else { return rows }
        let found =
          if let key = sought.range.onlyKey {
            changed[key].map { [$0] } ?? []
          } else {
            changed.filter { sought.range.contains($0.key) }.map(\.value)
          }
        for rowsOfValue in found {
          guard let ids = rowsOfValue.ids else { return rows }
          met.formUnion(ids)
        }
      }
      return .rowIDs(met)
    }
  }

  /// Anything may have changed: the schema has changed, or the hooks cannot report the changes.
  case everything
  /// These tables have changed. The dictionary is empty when the transaction changed nothing.
  case tables([TableName: Table])

  static let none = DatabaseChanges.tables([:])

  func union(_ other: DatabaseChanges) -> DatabaseChanges {
    guard case .tables(let tables) = self, case .tables(let otherTables) = other else {
      return .everything
    }
    if tables.isEmpty { return other }
    if otherTables.isEmpty { return self }
    return .tables(tables.merging(otherTables) { $0.union($1) })
  }

  mutating func formUnion(_ other: DatabaseChanges) { self = union(other) }

  var isEmpty: Bool {
    if case .tables(let tables) = self { return tables.isEmpty }
    return false
  }
}

/// Rows of one table: by their row ids, or by their keys where the table has none.
enum RowIdentities: Hashable, Sendable {
  case rowIDs(Set<Int64>)
  case keys(Set<RowKey>)

  static let none = RowIdentities.rowIDs([])

  var count: Int {
    switch self {
    case .rowIDs(let ids): ids.count
    case .keys(let keys): keys.count
    }
  }

  /// Returns the rows of both; `nil` if they are not identified in the same way.
  func union(_ other: RowIdentities) -> RowIdentities? {
    if count == 0 { return other }
    if other.count == 0 { return self }
    switch (self, other) {
    case (.rowIDs(let ids), .rowIDs(let others)): return .rowIDs(ids.union(others))
    case (.keys(let keys), .keys(let others)): return .keys(keys.union(others))
    default: return nil
    }
  }
}

/// The changed rows of a table that have a value in a column, before or after a change.
///
/// Most values have one row, which takes no memory of its own.
enum RowsOfValue: Equatable, Sendable {
  case one(Int64)
  case several(Set<Int64>)
  /// Rows that have no row ids.
  case unknown

  mutating func insert(_ rowID: Int64) {
    switch self {
    case .one(let other): if other != rowID { self = .several([other, rowID]) }
    case .several(var ids):
      // The set must have one owner, or it is copied.
      self = .unknown
      ids.insert(rowID)
      self = .several(ids)
    case .unknown: break
    }
  }

  func union(_ other: RowsOfValue) -> RowsOfValue {
    guard let ids, let others = other.ids else { return .unknown }
    let union = ids.union(others)
    return union.count == 1 ? self : .several(union)
  }

  /// The row ids; `nil` if they are not known.
  var ids: Set<Int64>? {
    switch self {
    case .one(let id): [id]
    case .several(let ids): ids
    case .unknown: nil
    }
  }
}
