/// A table in one statement, under its own name or an alias.
public struct TableReference: Hashable, Sendable {
  /// The name of the table in the schema; empty for a subquery.
  let tableName: String
  /// The name of the table in the statement, where it differs: a table that is read twice needs
  /// one.
  var alias: String?
  /// What stands for the table in expressions, besides its name.
  var identities: [TableIdentity] = []
  /// The keys of the associations that lead to the table from the first table of the statement.
  var path: [String]?
  /// The subquery that takes the place of a table.
  private let subquery: SQLSubquery?
  /// The common table expression that defines a table name unknown to the schema.
  let definition: CommonTable?

  init(tableName: String, alias: String? = nil, identities: [TableIdentity] = []) {
    self.tableName = tableName
    self.alias = alias
    self.identities = identities
    definition = nil
    subquery = nil
  }

  init(_ definition: CommonTable) {
    tableName = definition.name
    self.definition = definition
    subquery = nil
  }

  init(subquery: SQLSubquery, alias: String? = nil) {
    tableName = ""
    self.alias = alias
    self.subquery = subquery
    definition = nil
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @inline(never)
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tableName)
    hasher.combine(alias)
    hasher.combine(identities)
    hasher.combine(path)
    hasher.combine(subquery)
    hasher.combine(definition)
  }

  /// The name that qualifies columns of the table.
  var name: String { alias ?? tableName }

  /// The prefix of a qualified column: `"player".`
  var qualifier: String { name.quotedDatabaseIdentifier + "." }

  /// The name of the table whose records the rows are; `nil` where it is not known: the rows of a
  /// common table expression may be records of any table.
  var recordTableName: String? { definition == nil && subquery == nil ? tableName : nil }

  /// Writes `"player"`, `"player" "managers"` or `(SELECT …)`.
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
  /// Returns whether the table has a column of this name.
  func hasColumn(_ column: String, _ db: Database?) throws -> Bool {
    guard let db else { return true }
    let name = column.asciiLowercased
    return try columnNames(db).contains { $0.asciiLowercased == name }
  }

  /// Returns the names of the columns, from left to right.
  func columnNames(_ db: Database) throws -> [String] {
    if let subquery, definition == nil {
      return try subquery.query.prepare(db).columnNames
    }
    guard let definition else { return try db.columns(in: tableName).map(\.name) }
    guard definition.columns.isEmpty else { return definition.columns }
    return try db.cachedStatement { context in
      try WithClause(tables: [definition]).write(to: &context)
      context.append("SELECT * FROM ")
      context.append(identifier: definition.name)
    }.columnNames
  }
}
