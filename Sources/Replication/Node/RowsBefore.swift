internal import Recording
internal import Storage

/// The rows that a transaction changes or deletes, as they were before it.
///
/// They are for people who find commits that a failover has discarded: entries do not have them.
enum RowsBefore {
  /// How many rows of one transaction are looked up.
  private static let limit = 1_000

  /// Describes the rows, a line for each.
  ///
  /// - Parameters:
  ///   - transaction: A transaction that is not committed yet.
  ///   - read: Reads on a connection that does not see the transaction. It is called only if there
  ///     are such rows.
  /// - Returns: The lines; empty without such rows.
  /// - Throws: `DatabaseError`.
  static func text(
    of transaction: RecordedTransaction,
    _ read: ((Database) throws -> String) throws -> String
  ) throws -> String {
    var keys: [(table: RecordedTable, key: RecordedKey)] = []
    var known: Set<String> = []
    for item in transaction.items {
      guard let row = item.changedRow else { continue }
      guard known.insert("\(row.table.name) \(row.key)").inserted else { continue }
      keys.append(row)
      if keys.count > limit { break }
    }
    guard !keys.isEmpty else { return "" }
    return try read { db in
      var text = ""
      for (table, key) in keys.prefix(limit) {
        // A table, or a row, that the transaction itself has made was not there before.
        guard try db.tableExists(table.name), let row = try row(key, of: table, db) else {
          continue
        }
        let values = row.map { "\($0.0): \($0.1.sqlLiteral)" }.joined(separator: ", ")
        text += "  before: \(table.name) \(key.text) {\(values)}\n"
      }
      if keys.count > limit { text += "  before: further rows were not kept\n" }
      return text
    }
  }

  private static func row(
    _ key: RecordedKey,
    of table: RecordedTable,
    _ db: Database
  ) throws -> Row? {
    let name = table.name.quotedDatabaseIdentifier
    switch key {
    case .rowID(let number):
      let columns = try db.columns(in: table.name, in: "main")
      guard let rowID = RowIDName.free(of: columns.map(\.name)) else { return nil }
      return try Row.fetchOne(
        db,
        sql: "SELECT * FROM main.\(name) WHERE \(rowID) = ?",
        arguments: [number]
      )
    case .columns(let values):
      let columns = try db.primaryKey(table.name, in: "main").columns
      guard columns.count == values.count else { return nil }
      let condition = columns.map { "\($0.quotedDatabaseIdentifier) IS ?" }
      return try Row.fetchOne(
        db,
        sql: "SELECT * FROM main.\(name) WHERE \(condition.joined(separator: " AND "))",
        arguments: StatementArguments(values)
      )
    }
  }
}

extension RecordedKey {
  /// The key, for people.
  var text: String {
    switch self {
    case .rowID(let number): "row \(number)"
    case .columns(let values):
      "key (\(values.map(\.sqlLiteral).joined(separator: ", ")))"
    }
  }
}

extension RecordedItem {
  /// The row that was there before the step, if the step changes one.
  fileprivate var changedRow: (table: RecordedTable, key: RecordedKey)? {
    switch self {
    case .update(let table, let key, _, _), .delete(let table, let key): (table, key)
    default: nil
    }
  }

  /// A description of the step, for people.
  var text: String {
    switch self {
    case .insert(let table, let rowID, let values):
      "insert: \(table.name)\(rowID.map { " row \($0)" } ?? "") "
        + "(\(values.map(\.sqlLiteral).joined(separator: ", ")))"
    case .update(let table, let key, let newRowID, let changes):
      "update: \(table.name) \(key.text)\(newRowID.map { " to row \($0)" } ?? "") "
        + changes.map { "column \($0.column + 1): \($0.value.sqlLiteral)" }
        .joined(separator: ", ")
    case .delete(let table, let key): "delete: \(table.name) \(key.text)"
    case .schema(let sql): "schema: \(sql)"
    case .userVersion(let number): "user_version: \(number)"
    case .applicationID(let number): "application_id: \(number)"
    case .snapshotNeeded(let reason): "not recorded: \(reason)"
    case .sequences(_, let rows):
      "sqlite_sequence: "
        + rows.map { row in
          "\(row.name.sqlLiteral) = \(row.value.sqlLiteral)"
        }.joined(separator: ", ")
    }
  }
}
