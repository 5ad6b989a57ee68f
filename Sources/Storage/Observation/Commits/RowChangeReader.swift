internal import WellspringSystem

/// Finds the rows of a table that have changed between two reads of a file with a log, whichever
/// process has changed them.
///
/// It finds them from the pages in the log (``ForeignCommitReader``), so the cost of a call grows
/// with the changes. Nothing is observed, and nothing happens between the calls.
package final class RowChangeReader: Sendable {
  /// Up to which commit the changes are known.
  package struct Position: Sendable {
    fileprivate let index: WALIndex
  }

  /// Rows that have changed.
  package struct Changes: Sendable {
    package var ids: Set<Int64> = []
    /// Whether exactly these rows have changed. Otherwise, some of them may be unchanged, or may
    /// not exist.
    package var areExact = true
  }

  private let table: TableName
  private let reader = ForeignCommitReader()

  /// - Parameter table: The name of a table of the schema `main`.
  package init(table: String) {
    self.table = TableName(schema: "main", name: table)
  }

  /// Reads in a transaction, and tells up to which commit it sees the file.
  ///
  /// - Parameters:
  ///   - db: A connection, outside a transaction.
  ///   - value: A closure that gets the position of the transaction; `nil` without a log, and if
  ///     commits follow each other too fast.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure, or `DatabaseError`.
  package static func read<Value>(
    _ db: Database,
    _ value: (Position?) throws -> Value
  ) throws -> Value {
    var attempts = 100
    while true {
      attempts -= 1
      let before = WALIndex.read(db.sqliteConnection)
      let result = try db.readTransaction(takesSnapshot: false) { () -> Value? in
        try db.takeSnapshot()
        // A commit between the two reads would be in one of them only.
        let index = WALIndex.read(db.sqliteConnection)
        guard index == before || attempts == 0 else { return nil }
        let isKnown = try index == before && db.mainJournalMode() == "wal"
        return try value(isKnown ? index.map(Position.init) : nil)
      }
      if let result { return result }
    }
  }

  /// Returns the rows that were inserted, updated or deleted between two positions.
  ///
  /// - Parameters:
  ///   - db: A connection, in the transaction of `end`.
  ///   - start: The position of an earlier transaction.
  ///   - end: The position of this one.
  /// - Returns: The rows; `nil` if they are not known: without a log, when it has begun or begun
  ///   again, after a change of the schema, and for more than a thousand rows.
  package func changedRows(
    _ db: Database,
    since start: Position?,
    upTo end: Position?
  ) -> Changes? {
    guard let end else {
      reader.forgetPages()
      return nil
    }
    return changes(db, since: start?.index, upTo: end.index)
  }

  private func changes(_ db: Database, since known: WALIndex?, upTo index: WALIndex) -> Changes? {
    guard let known else { return nil }
    if index == known || index.countsSameFrames(as: known) { return Changes() }
    let rows = ObservedTable(
      columns: .all,
      hasRowObservers: true,
      conditionColumns: witnesses(db)
    )
    let found = reader.changes(
      db,
      after: known,
      upTo: index,
      of: ObservedTables([table: rows], includesFullDatabase: false),
      ObservationGeneration(0),
      // Other connections may have built the index again.
      isContinuous: false
    )
    guard case .tables(let tables) = found.observed else { return nil }
    guard let changes = tables[table] else { return Changes() }
    return changes.rowIDs.elements.map { Changes(ids: Set($0), areExact: !changes.values.isEmpty) }
  }

  /// Columns whose values are known when the rows are compared with their former values.
  private func witnesses(_ db: Database) -> Set<ConditionColumn> {
    let contents = (try? db.currentRegionSchema())?.contents.values
    let columns = contents?.first { $0.table == table && !$0.isIndex }?.columns ?? []
    // The values of one column can be too long to be compared.
    return Set(columns.prefix(8).map { ConditionColumn(name: $0, collation: .binary) })
  }
}

/// The columns in the records of a table, and the values of changed rows that are needed.
struct StoredRecords {
  /// The columns in the order in which they are stored.
  let columns: [ColumnName]
  /// The columns whose values queries look for.
  let conditionColumns: Set<ConditionColumn>
  let isUTF8: Bool

  /// Returns the columns that differ in an updated row; `nil` if any may.
  fileprivate func changedColumns(of row: ChangedRow) -> Set<ColumnName>? {
    guard let before = row.before, let after = row.after else { return nil }
    guard let indexes = after.columns(differingFrom: before), !indexes.isEmpty,
      indexes.allSatisfy(columns.indices.contains)
    else { return nil }
    return Set(indexes.map { columns[$0] })
  }

  /// Returns the values of a column in rows before and after their changes; `nil` if one value is
  /// not known.
  fileprivate func values(
    of column: ConditionColumn,
    in rows: [ChangedRow]
  ) -> [ValueKey: RowsOfValue]? {
    guard let index = columns.firstIndex(of: column.name) else { return nil }
    var values: [ValueKey: RowsOfValue] = [:]
    for row in rows {
      let records = [Fault.isOn(.pageValues) ? nil : row.before, row.after]
      for record in records.compactMap({ $0 }) {
        guard let key = key(of: record.value(at: index), column.collation) else { return nil }
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
