extension Database {
  /// What happens to the rows that refer to a row which is deleted or gets another key.
  /// https://www.sqlite.org/foreignkeys.html#fk_actions
  public enum ForeignKeyAction: String, Sendable {
    /// They are deleted, or get the other key too.
    case cascade = "CASCADE"
    /// The change is refused at once.
    case restrict = "RESTRICT"
    /// Their columns become NULL.
    case setNull = "SET NULL"
    /// Their columns get their default values.
    case setDefault = "SET DEFAULT"
    /// None. A reference to a row that is gone is refused at the end of the statement, or of the
    /// transaction: SQLite's default.
    case noAction = "NO ACTION"
  }
}

/// `REFERENCES "team"("id") ON DELETE CASCADE`
struct ForeignKeyClause {
  let table: String
  /// The columns of the other table; `nil` for its primary key.
  var columns: [String]?
  var onDelete: Database.ForeignKeyAction?
  var onUpdate: Database.ForeignKeyAction?
  var isDeferred = false

  /// Writes the clause.
  func write(to context: inout SQLContext) {
    context.append("REFERENCES ")
    context.append(identifier: table)
    if let columns { context.append(identifiers: columns) }
    if let onDelete { context.append(" ON DELETE \(onDelete.rawValue)") }
    if let onUpdate { context.append(" ON UPDATE \(onUpdate.rawValue)") }
    if isDeferred { context.append(" DEFERRABLE INITIALLY DEFERRED") }
  }

  /// The clause with the columns that it refers to.
  ///
  /// - Throws: ``DatabaseError`` when the table is unknown, has no primary key, or one of another number of
  ///   columns.
  func resolved(_ keys: ParentKeys, from children: [String]) throws -> ForeignKeyClause {
    guard columns == nil else { return self }
    let key = try keys.key(of: table, from: children)
    guard key.count == children.count else {
      let names = key.map(\.name).joined(separator: ", ")
      throw keys.error(
        children,
        "the primary key of \(table) has \(key.count) columns (\(names)): use foreignKey(_:references:)"
      )
    }
    var clause = self
    clause.columns = key.map(\.name)
    return clause
  }
}

extension SQLContext {
  /// Writes names in quotes and parentheses: `("a", "b")`.
  mutating func append(identifiers: [String]) {
    append("(\(identifiers.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
  }
}

extension Optional<Database.ConflictResolution> {
  /// ` ON CONFLICT IGNORE`; nothing for the default.
  var clause: String { self.map(\.clause) ?? "" }
}

extension Database.ConflictResolution {
  /// ` ON CONFLICT IGNORE`; nothing for the default.
  var clause: String { self == .abort ? "" : " ON CONFLICT \(rawValue)" }
}
