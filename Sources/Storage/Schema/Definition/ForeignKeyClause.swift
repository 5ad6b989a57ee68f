/// The clause of a foreign key: `REFERENCES "team"("id") ON DELETE CASCADE`.
struct ForeignKeyClause {
  let table: String
  /// The columns of the parent table; `nil` for its primary key.
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

  /// Returns the clause with the columns that it refers to.
  ///
  /// - Throws: ``DatabaseError`` when the parent table does not exist, or has no primary key with
  ///   the same number of columns.
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
