internal import WellspringPlatform

/// Finds the rows of a table that have changed between two reads of a file with a log, whichever
/// process has changed them.
///
/// The pages in the log say which they are (``ForeignCommitReader``), so that a call costs what has
/// changed. Nothing is observed, and nothing happens between the calls.
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

  /// Returns the rows that were inserted, updated or deleted.
  ///
  /// - Parameters:
  ///   - db: A connection, in a read transaction.
  ///   - position: The position of an earlier call; `nil` for the first call.
  /// - Returns: The rows, and the position from which the next call goes on. The rows are `nil` if
  ///   they are not known: without a log, when it has begun or begun again, after a change of the
  ///   schema, and for more than a thousand rows. A commit that is younger than the transaction
  ///   may be included.
  package func changedRows(
    _ db: Database,
    since position: Position?
  ) -> (changes: Changes?, position: Position?) {
    guard (try? db.mainJournalMode()) == "wal", let index = WALIndex.read(db.sqliteConnection)
    else {
      reader.forgetPages()
      return (nil, nil)
    }
    return (changes(db, since: position?.index, upTo: index), Position(index: index))
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
      Growth(0),
      // Other connections may have built the index again.
      isContinuous: false
    )
    guard case .tables(let tables) = found.observed else { return nil }
    guard let changes = tables[table] else { return Changes() }
    return changes.rowIDs.elements.map { Changes(ids: Set($0), areExact: !changes.values.isEmpty) }
  }

  /// Columns whose values are known where the rows are compared with what they were.
  private func witnesses(_ db: Database) -> Set<ConditionColumn> {
    let contents = (try? db.currentRegionSchema())?.contents.values
    let columns = contents?.first { $0.table == table && !$0.isIndex }?.columns ?? []
    // The values of one column can be too long to be compared.
    return Set(columns.prefix(8).map { ConditionColumn(name: $0, collation: .binary) })
  }
}
