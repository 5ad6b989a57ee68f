// MARK: - Keys

extension TableDefinition {
  /// Makes several columns the primary key.
  ///
  /// The columns are `NOT NULL`.
  ///
  ///     t.primaryKey(["a", "b"])
  ///     // PRIMARY KEY ("a", "b")
  public func primaryKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    primaryKey(columns.map { Column($0) }, onConflict: conflictResolution)
  }

  /// Makes several columns the primary key, and sets the order of its index.
  ///
  /// The columns are `NOT NULL`.
  ///
  ///     t.primaryKey([Column("email").asc, Column("name")])
  ///     // PRIMARY KEY ("email" ASC, "name")
  public func primaryKey(
    _ columns: [any SQLOrderingTerm],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(.primaryKey(columns.map(\.sqlOrdering), conflictResolution))
  }

  /// Adds a unique constraint: no two rows can be equal in all of these columns.
  ///
  ///     t.uniqueKey(["a", "b"], onConflict: .replace)
  ///     // UNIQUE ("a", "b") ON CONFLICT REPLACE
  public func uniqueKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(.unique(columns, conflictResolution))
  }

  /// Makes several columns refer to a row of another table, or of the same one.
  ///
  /// Unless columns are named, they refer to the primary key, which is looked up in the schema.
  ///
  ///     t.foreignKey(["a", "b"], references: "parent", onDelete: .cascade)
  ///     // FOREIGN KEY ("a", "b") REFERENCES "parent"("c", "d") ON DELETE CASCADE
  ///
  /// Creating the table throws an error when the other table does not exist, or has no primary key
  /// with the same number of columns.
  ///
  /// - Parameters:
  ///   - columns: The columns of this table.
  ///   - table: The table that the columns refer to.
  ///   - destinationColumns: Columns of that table that are unique together; its primary key by
  ///     default.
  ///   - deleteAction: The action for a row when the row that it refers to is deleted.
  ///   - updateAction: The action for a row when the key of the row that it refers to changes.
  ///   - isDeferred: Whether references are checked only at the end of the transaction.
  public func foreignKey(
    _ columns: [String],
    references table: String,
    columns destinationColumns: [String]? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil,
    deferred isDeferred: Bool = false
  ) {
    add(
      .foreignKey(
        columns,
        ForeignKeyClause(
          table: table,
          columns: destinationColumns,
          onDelete: deleteAction,
          onUpdate: updateAction,
          isDeferred: isDeferred
        )
      )
    )
  }
}

// MARK: - Checks

extension TableDefinition {
  /// Adds a check constraint: rows for which the condition is false are refused.
  ///
  ///     t.check(Column("a") + Column("b") < 10)
  ///     // CHECK (("a" + "b") < 10)
  public func check(_ condition: some SQLCondition) {
    add(.check(condition.node))
  }

  /// Adds a check constraint in SQL: rows for which the condition is false are refused.
  ///
  ///     t.check(sql: "a + b < 10")
  ///     // CHECK (a + b < 10)
  public func check(sql: String) {
    add(.check(SQL(sql: sql).node))
  }

  /// Adds a constraint in SQL.
  ///
  ///     t.constraint(sql: "CONSTRAINT small CHECK (a + b < 10)")
  ///     // CONSTRAINT small CHECK (a + b < 10)
  public func constraint(sql: String) {
    add(.literal(SQL(sql: sql)))
  }

  /// Adds a constraint in SQL with embedded values.
  ///
  ///     t.constraint(literal: "CONSTRAINT small CHECK (a + b < \(maximum))")
  ///     // CONSTRAINT small CHECK (a + b < 10)
  public func constraint(literal: SQL) {
    add(.literal(literal))
  }
}

/// A constraint of a table: `UNIQUE ("a", "b")`.
enum TableConstraint {
  case primaryKey([SQLOrdering], Database.ConflictResolution?)
  case unique([String], Database.ConflictResolution?)
  case foreignKey([String], ForeignKeyClause)
  case check(ExpressionNode)
  case literal(SQL)

  /// Writes the constraint.
  func write(to context: inout SQLContext) throws {
    switch self {
    case .primaryKey(let terms, let conflict):
      context.append("PRIMARY KEY (")
      try terms.writeList(to: &context)
      context.append(")\(conflict.clause)")
    case .unique(let columns, let conflict):
      context.append("UNIQUE ")
      context.append(identifiers: columns)
      context.append(conflict.clause)
    case .foreignKey(let columns, let clause):
      context.append("FOREIGN KEY ")
      context.append(identifiers: columns)
      context.append(" ")
      clause.write(to: &context)
    case .check(let condition):
      context.append("CHECK (")
      try condition.write(to: &context)
      context.append(")")
    case .literal(let sql):
      try context.append(sql)
    }
  }

  /// The names of the columns of a primary key; `nil` for other constraints.
  var keyColumns: [String]? {
    guard case .primaryKey(let terms, _) = self else { return nil }
    return terms.compactMap(\.column)
  }
}

extension SQLOrdering {
  /// The name of the column, for a term that is only a column.
  fileprivate var column: String? {
    guard case .term(let node, _) = kind else { return nil }
    return (node.part as? ColumnReference)?.name
  }
}

extension Sequence<SQLOrdering> {
  /// Writes the terms, separated by commas.
  func writeList(to context: inout SQLContext) throws {
    for (index, term) in enumerated() {
      if index > 0 { context.append(", ") }
      try term.write(to: &context)
    }
  }
}
