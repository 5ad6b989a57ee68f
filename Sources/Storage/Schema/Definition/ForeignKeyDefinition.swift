/// Describes the columns by which the rows of a table belong to those of another one: see
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

  /// Refuses rows that belong to none.
  ///
  ///     t.belongsTo("team").notNull()
  ///     // "teamId" INTEGER NOT NULL REFERENCES "team"("id")
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    notNull = conflictResolution ?? .abort
    return self
  }

  /// Refuses two rows that belong to the same one.
  ///
  ///     t.belongsTo("team").unique()
  ///     // "teamId" INTEGER UNIQUE REFERENCES "team"("id")
  @discardableResult
  public func unique() -> Self {
    isUnique = true
    return self
  }

  /// What the definition adds to its table.
  struct Parts {
    var columns: [ColumnClause]
    var constraints: [TableConstraint] = []
    var index: IndexDefinition?
  }

  /// The columns, with the names and the types of the key that they refer to.
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
    if isUnique {
      parts.constraints.append(.unique(names, nil))
    } else if isIndexed {
      parts.index = IndexDefinition(
        constraintOn: keys.table,
        columns: names,
        options: indexOptions
      )
    }
    return parts
  }
}

// A definition is changed by the closure that it is given to, and by nobody else.
@available(*, unavailable)
extension ForeignKeyDefinition: Sendable {}

extension String {
  /// The string with its first letter in upper case.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
