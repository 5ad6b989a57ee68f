// MARK: - Keys

extension TableDefinition {
  /// Makes several columns the primary key. They are `NOT NULL`.
  ///
  ///     t.primaryKey(["a", "b"])
  ///     // PRIMARY KEY ("a", "b")
  public func primaryKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    primaryKey(columns.map { Column($0) }, onConflict: conflictResolution)
  }

  /// Makes several columns the primary key, and says the order of its index. They are `NOT NULL`.
  ///
  ///     t.primaryKey([Column("email").asc, Column("name")])
  ///     // PRIMARY KEY ("email" ASC, "name")
  public func primaryKey(
    _ columns: [any SQLOrderingTerm],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(.primaryKey(columns.map(\.sqlOrdering), conflictResolution))
  }

  /// Refuses two rows that are equal in all of these columns.
  ///
  ///     t.uniqueKey(["a", "b"], onConflict: .replace)
  ///     // UNIQUE ("a", "b") ON CONFLICT REPLACE
  public func uniqueKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    add(.unique(columns, conflictResolution))
  }

  /// Makes several columns refer to a row of another table, or of the same one. Unless columns are named, to
  /// its primary key, which is looked up in the schema.
  ///
  ///     t.foreignKey(["a", "b"], references: "parent", onDelete: .cascade)
  ///     // FOREIGN KEY ("a", "b") REFERENCES "parent"("c", "d") ON DELETE CASCADE
  ///
  /// The definition throws when the table is not there, or has no primary key of as many columns.
  ///
  /// - Parameters:
  ///   - columns: The columns of this table.
  ///   - table: The table that is referred to.
  ///   - destinationColumns: Columns of it that are unique together.
  ///   - deleteAction: What happens to a row of this table when the other one is deleted.
  ///   - updateAction: What happens to a row of this table when the other one gets another key.
  ///   - isDeferred: Whether a wrong reference is refused at the end of the transaction only.
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
  /// Refuses rows for which a condition is false.
  ///
  ///     t.check(Column("a") + Column("b") < 10)
  ///     // CHECK (("a" + "b") < 10)
  public func check(_ condition: some SQLCondition) {
    add(.check(condition.node))
  }

  /// Refuses rows for which a condition in SQL is false.
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

  /// Adds a constraint in SQL, with what the SQL embeds.
  ///
  ///     t.constraint(literal: "CONSTRAINT small CHECK (a + b < \(maximum))")
  ///     // CONSTRAINT small CHECK (a + b < 10)
  public func constraint(literal: SQL) {
    add(.literal(literal))
  }
}
