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

  /// What the definition adds to the table.
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
