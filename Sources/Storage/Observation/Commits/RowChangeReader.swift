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

  private let table: TableName
  private let reader = ForeignCommitReader()

  /// - Parameter table: The name of a table of the schema `main`.
  package init(table: String) {
    self.table = TableName(schema: "main", name: table)
  }

  /// Returns the ids of the rows that were inserted, updated or deleted.
  ///
  /// - Parameters:
  ///   - db: A connection, in a read transaction.
  ///   - position: The position of an earlier call; `nil` for the first call.
  /// - Returns: The ids, and the position from which the next call goes on. The ids are `nil` if
  ///   they are not known: without a log, when it has begun or begun again, after a change of the
  ///   schema, and for more than a thousand rows. A commit that is younger than the transaction
  ///   may be included.
  package func changedRows(
    _ db: Database,
    since position: Position?
  ) -> (ids: Set<Int64>?, position: Position?) {
    guard (try? db.mainJournalMode()) == "wal", let index = WALIndex.read(db.sqliteConnection)
    else {
      reader.forgetPages()
      return (nil, nil)
    }
    return (ids(db, since: position?.index, upTo: index), Position(index: index))
  }

  private func ids(_ db: Database, since known: WALIndex?, upTo index: WALIndex) -> Set<Int64>? {
    guard let known else { return nil }
    if index == known || index.countsSameFrames(as: known) { return [] }
    let rows = ObservedTable(columns: .all, hasRowObservers: true)
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
    guard let changes = tables[table] else { return [] }
    return changes.rowIDs.elements.map { Set($0) }
  }
}
