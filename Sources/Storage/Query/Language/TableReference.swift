/// A table in one statement, under its own name or an alias.
public struct TableReference: Hashable, Sendable {
  /// The name of the table in the schema; empty for a subquery.
  let tableName: String
  /// The name of the table in the statement, where it differs: a table that is read twice needs
  /// one.
  var alias: String?
  /// Whether the alias was chosen because the statement reads the table twice, and so may be
  /// replaced.
  var hasChosenAlias = false
  /// The name that replaces ``name`` in the text of the statement, where a table of a subquery has
  /// the same name. Expressions still refer to the table by ``name``.
  var writtenName: String?
  /// The identities that denote the table in expressions, besides its name.
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

  /// The name of the table in the text of the statement.
  var textName: String { writtenName ?? name }

  /// The prefix of a qualified column: `"player".`
  var qualifier: String { textName.quotedDatabaseIdentifier + "." }

  /// Whether the table has an alias, with or without a name.
  var isAliased: Bool {
    identities.contains { if case .alias = $0 { true } else { false } }
  }

  /// Whether the text may give the table another name: the request has not chosen one.
  var mayBeRenamed: Bool { !tableName.isEmpty && (alias == nil || hasChosenAlias) }

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
    guard let alias = writtenName ?? alias, alias != tableName else { return }
    context.append(" ")
    context.append(identifier: alias)
  }

  /// Writes the table as the target of an `UPDATE` or a `DELETE`: `"player"`, or
  /// `"player" AS "other"`.
  func writeTarget(to context: inout SQLContext) {
    context.append(identifier: tableName)
    if textName != tableName { context.append(alias: textName) }
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
      try db.refreshSchemaCache()
      return try subquery.query.prepare(db).columnNames
    }
    guard let definition else { return try db.columns(in: tableName).map(\.name) }
    guard definition.columns.isEmpty else { return definition.columns }
    try db.refreshSchemaCache()
    return try db.cachedStatement { context in
      try WithClause(tables: [definition]).write(to: &context)
      context.append("SELECT * FROM ")
      context.append(identifier: definition.name)
    }.columnNames
  }
}
