/// A table as one statement calls it: by its own name, or by an alias.
public struct TableReference: Hashable, Sendable {
  /// The table, as the schema calls it; empty for a subquery.
  let tableName: String
  /// Another name, when one table is read twice.
  var alias: String?
  /// What stands in the place of a table.
  private let subquery: SQLSubquery?
  /// The columns of a table that the schema does not know; empty for others.
  private let columns: [String]

  init(tableName: String, alias: String? = nil, columns: [String] = []) {
    self.tableName = tableName
    self.alias = alias
    self.columns = columns
    subquery = nil
  }

  init(subquery: SQLSubquery, alias: String? = nil) {
    tableName = ""
    self.alias = alias
    self.subquery = subquery
    columns = []
  }

  /// The name by which columns call the table.
  var name: String { alias ?? tableName }

  /// What stands in front of a column: `"player".`
  var qualifier: String { name.quotedDatabaseIdentifier + "." }

  /// `"player"`, `"player" "managers"` or `(SELECT …)`.
  func write(to context: inout SQLContext) throws {
    if let subquery {
      try subquery.write(to: &context)
    } else {
      context.append(identifier: tableName)
    }
    guard let alias, alias != tableName else { return }
    context.append(" ")
    context.append(identifier: alias)
  }
}

extension TableReference {
  /// Whether the table has a column of this name.
  func hasColumn(_ column: String, _ db: Database?) throws -> Bool {
    guard let db else { return true }
    let name = column.asciiLowercased
    return try columnNames(db).contains { $0.asciiLowercased == name }
  }

  /// The names of the columns, from left to right.
  func columnNames(_ db: Database) throws -> [String] {
    columns.isEmpty ? try db.columns(in: tableName).map(\.name) : columns
  }
}
