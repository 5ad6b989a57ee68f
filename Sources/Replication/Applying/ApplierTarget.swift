internal import Recording
internal import Storage

/// A table whose rows are repeated, with the statements for them.
final class ApplierTarget {
  private struct Update: Hashable {
    let columns: [Int]
    let setsRowID: Bool
  }

  private let table: RecordableTable
  private var insertion: Statement?
  private var deletion: Statement?
  private var updates: [Update: Statement] = [:]

  init(_ table: RecordableTable) {
    self.table = table
  }

  // `OR ABORT` comes before the conflict clauses of the table, so that no row is replaced or
  // ignored.

  func insertion(_ db: Database) throws -> Statement {
    if let insertion { return insertion }
    let rowID = table.rowIDName.map { [$0.quotedDatabaseIdentifier] } ?? []
    let names = rowID + table.columns.map(\.name.quotedDatabaseIdentifier)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "INSERT OR ABORT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    )
    insertion = statement
    return statement
  }

  func deletion(_ db: Database) throws -> Statement {
    if let deletion { return deletion }
    let statement = try db.cachedStatement(sql: "DELETE FROM \(name) WHERE \(condition)")
    deletion = statement
    return statement
  }

  func update(_ db: Database, columns: [Int], setsRowID: Bool) throws -> Statement {
    let update = Update(columns: columns, setsRowID: setsRowID)
    if let statement = updates[update] { return statement }
    let rowID = setsRowID ? table.rowIDName.map { [$0.quotedDatabaseIdentifier] } ?? [] : []
    let names = rowID + columns.map { table.columns[$0].name.quotedDatabaseIdentifier }
    let assignments = names.map { "\($0) = ?" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "UPDATE OR ABORT \(name) SET \(assignments) WHERE \(condition)"
    )
    updates[update] = statement
    return statement
  }

  private var name: String { "main.\(table.name.quotedDatabaseIdentifier)" }

  private var condition: String {
    guard !table.key.isEmpty else {
      return "\((table.rowIDName ?? "rowid").quotedDatabaseIdentifier) = ?"
    }
    return table.key.map { "\(table.columns[$0].name.quotedDatabaseIdentifier) = ?" }
      .joined(separator: " AND ")
  }
}
