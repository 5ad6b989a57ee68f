extension Database {
  /// The action for the rows that refer to a row that is deleted or whose key changes.
  /// https://www.sqlite.org/foreignkeys.html#fk_actions
  public enum ForeignKeyAction: String, Sendable {
    /// The rows are deleted, or get the new key too.
    case cascade = "CASCADE"
    /// The change is refused immediately.
    case restrict = "RESTRICT"
    /// The columns of the foreign key become NULL.
    case setNull = "SET NULL"
    /// The columns of the foreign key get their default values.
    case setDefault = "SET DEFAULT"
    /// Nothing happens. A reference to a missing row is refused at the end of the statement, or of
    /// the transaction: SQLite's default.
    case noAction = "NO ACTION"
  }
}

/// Describes the columns that refer to a row of another table: see
/// ``TableDefinition/belongsTo(_:inTable:onDelete:onUpdate:deferred:indexed:)``.
///
///     t.belongsTo("team", onDelete: .cascade).notNull()
///     // "teamId" INTEGER NOT NULL REFERENCES "team"("id") ON DELETE CASCADE
public final class ForeignKeyDefinition {
  let name: String
  let table: String?
  let onDelete: Database.ForeignKeyAction?
  let onUpdate: Database.ForeignKeyAction?
  let isDeferred: Bool
  private var isIndexed: Bool
  private var isUnique = false
  private var notNull: Database.ConflictResolution?

  init(
    name: String,
    table: String?,
    onDelete: Database.ForeignKeyAction?,
    onUpdate: Database.ForeignKeyAction?,
    isDeferred: Bool,
    isIndexed: Bool
  ) {
    self.name = name
    self.table = table
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isDeferred = isDeferred
    self.isIndexed = isIndexed
  }

  /// Refuses rows without a parent row.
  ///
  ///     t.belongsTo("team").notNull()
  ///     // "teamId" INTEGER NOT NULL REFERENCES "team"("id")
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    notNull = conflictResolution ?? .abort
    return self
  }

  /// Refuses two rows with the same parent row.
  ///
  ///     t.belongsTo("team").unique()
  ///     // "teamId" INTEGER UNIQUE REFERENCES "team"("id")
  ///
  /// A key of several columns gets a unique index.
  @discardableResult
  public func unique() -> Self {
    isUnique = true
    return self
  }

  /// The parts that the definition adds to the table.
  struct Parts {
    var columns: [ColumnClause]
    var constraints: [TableConstraint] = []
    var index: IndexDefinition?
  }

  /// Returns the columns, named and typed after the primary key that they refer to, with their
  /// constraints and index.
  func parts(_ keys: ParentKeys, indexOptions: IndexOptions) throws -> Parts {
    let parent = try table ?? keys.table(for: name)
    let key = try keys.key(of: parent, from: [name])
    var reference = ForeignKeyClause(
      table: parent,
      columns: key.map(\.name),
      onDelete: onDelete,
      onUpdate: onUpdate,
      isDeferred: isDeferred
    )
    var columns = key.map { column in
      var clause = ColumnClause(name: name + column.name.capitalizedFirst, type: column.type)
      clause.notNull = notNull
      return clause
    }
    guard columns.count > 1 else {
      columns[0].references = [reference]
      columns[0].isIndexed = isIndexed
      columns[0].unique = isUnique ? .abort : nil
      return Parts(
        columns: columns,
        index: columns[0].index(on: keys.table, options: indexOptions)
      )
    }
    let names = columns.map(\.name)
    reference.columns = key.map(\.name)
    var parts = Parts(columns: columns, constraints: [.foreignKey(names, reference)])
    if isIndexed || isUnique {
      parts.index = IndexDefinition(
        name: IndexDefinition.defaultName(on: keys.table, names),
        table: keys.table,
        terms: names.map { Column($0) },
        options: isUnique ? indexOptions.union(.unique) : indexOptions
      )
    }
    return parts
  }
}

// A definition is changed only by the closure that receives it.
@available(*, unavailable)
extension ForeignKeyDefinition: Sendable {}

extension String {
  /// The string with its first letter in uppercase.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

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
