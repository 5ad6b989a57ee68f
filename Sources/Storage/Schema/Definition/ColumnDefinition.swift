/// Describes a column of a table that is created or altered: each method adds a constraint.
///
///     try db.create(table: "player") { t in
///       t.column("name", .text).notNull().defaults(to: "Anonymous")
///     }
///     // CREATE TABLE "player" ("name" TEXT NOT NULL DEFAULT 'Anonymous')
///
/// It is used inside of the closure that defines the table only.
public final class ColumnDefinition {
  /// When the value of a generated column is computed.
  public enum GeneratedColumnQualification: String, Sendable {
    /// When it is read.
    case virtual = "VIRTUAL"
    /// When the row is written.
    case stored = "STORED"
  }

  var clause: ColumnClause

  init(_ clause: ColumnClause) {
    self.clause = clause
  }

  private func adding(_ change: (inout ColumnClause) -> Void) -> Self {
    change(&clause)
    return self
  }

  // MARK: - Keys

  /// Makes the column the primary key of its table. It is `NOT NULL`, which a column of the type `INTEGER`
  /// need not say.
  ///
  ///     t.column("id", .integer).primaryKey(autoincrement: true)
  ///     // "id" INTEGER PRIMARY KEY AUTOINCREMENT
  ///
  /// - Parameters:
  ///   - conflictResolution: What happens to a row whose key is there already.
  ///   - autoincrement: Whether ids of deleted rows are never given again. Only a column of the type
  ///     `INTEGER` can have it: for others, the definition throws.
  /// - Returns: This column.
  @discardableResult
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    autoincrement: Bool = false
  ) -> Self {
    adding {
      $0.primaryKey = .init(onConflict: conflictResolution, isAutoincremented: autoincrement)
    }
  }

  /// Refuses equal values in two rows.
  ///
  ///     t.column("email", .text).unique(onConflict: .replace)
  ///     // "email" TEXT UNIQUE ON CONFLICT REPLACE
  @discardableResult
  public func unique(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    adding { $0.unique = conflictResolution ?? .abort }
  }

  /// Creates an index on the column, once the table is there.
  ///
  ///     t.column("score", .integer).indexed()
  ///     // "score" INTEGER
  ///     // CREATE INDEX "player_on_score" ON "player"("score")
  @discardableResult
  public func indexed() -> Self {
    adding { $0.isIndexed = true }
  }

  /// Refers to a row of another table, or of the same one. Unless a column is named, to its primary key,
  /// which is looked up in the schema.
  ///
  ///     t.column("countryCode", .text).references("country", onDelete: .cascade)
  ///     // "countryCode" TEXT REFERENCES "country"("code") ON DELETE CASCADE
  ///
  /// The definition throws when the table is not there, or has no primary key of one column.
  ///
  /// - Parameters:
  ///   - table: The table that is referred to.
  ///   - column: A unique column of it.
  ///   - deleteAction: What happens to this row when the other one is deleted.
  ///   - updateAction: What happens to this row when the other one gets another key.
  ///   - isDeferred: Whether a wrong reference is refused at the end of the transaction only.
  /// - Returns: This column.
  @discardableResult
  public func references(
    _ table: String,
    column: String? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil,
    deferred isDeferred: Bool = false
  ) -> Self {
    adding {
      $0.references.append(
        ForeignKeyClause(
          table: table,
          columns: column.map { [$0] },
          onDelete: deleteAction,
          onUpdate: updateAction,
          isDeferred: isDeferred
        )
      )
    }
  }

  // MARK: - Values

  /// Refuses NULL.
  ///
  ///     t.column("email", .text).notNull()
  ///     // "email" TEXT NOT NULL
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    adding { $0.notNull = conflictResolution ?? .abort }
  }

  /// Refuses values for which a condition is false.
  ///
  ///     t.column("name", .text).check { length($0) > 0 }
  ///     // "name" TEXT CHECK (LENGTH("name") > 0)
  @discardableResult
  public func check(_ condition: (Column) throws -> some SQLCondition) rethrows -> Self {
    let node = try condition(Column(clause.name)).sqlExpression.node
    return adding { $0.checks.append(node) }
  }

  /// Refuses values for which a condition in SQL is false.
  ///
  ///     t.column("score", .integer).check(sql: "score > 0")
  ///     // "score" INTEGER CHECK (score > 0)
  @discardableResult
  public func check(sql: String) -> Self {
    adding { $0.checks.append(SQL(sql: sql).node) }
  }

  /// Sets the value of rows that are inserted without one: a constant, or an expression that SQLite
  /// computes for each of them.
  ///
  ///     t.column("name", .text).defaults(to: "Anonymous")
  ///     // "name" TEXT DEFAULT 'Anonymous'
  ///     t.column("token", .blob).defaults(to: SQL("randomblob(16)"))
  ///     // "token" BLOB DEFAULT (randomblob(16))
  @discardableResult
  public func defaults(to value: some SQLExpressible) -> Self {
    let node = value.node
    return adding { $0.defaultValue = node.value.map { .value($0) } ?? .expression(node) }
  }

  /// Sets the value of rows that are inserted without one, in SQL. An expression that is more than a
  /// literal must be in parentheses.
  ///
  ///     t.column("createdAt", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
  ///     // "createdAt" DATETIME DEFAULT CURRENT_TIMESTAMP
  @discardableResult
  public func defaults(sql: String) -> Self {
    adding { $0.defaultValue = .sql(sql) }
  }

  /// Sets how strings are compared and sorted.
  ///
  ///     t.column("email", .text).collate(.nocase)
  ///     // "email" TEXT COLLATE NOCASE
  @discardableResult
  public func collate(_ collation: Database.CollationName) -> Self {
    adding { $0.collation = collation.rawValue }
  }

  /// Sets how strings are compared and sorted, in Swift. Each process that uses the column needs the
  /// collation: see ``DatabaseCollation``.
  ///
  ///     t.column("name", .text).collate(.localizedStandardCompare)
  ///     // "name" TEXT COLLATE swiftLocalizedStandardCompare
  @discardableResult
  public func collate(_ collation: DatabaseCollation) -> Self {
    adding { $0.collation = collation.name }
  }

  /// Computes the value from other columns of the row.
  ///
  ///     t.column("total", .integer).generatedAs(Column("score") + Column("bonus"))
  ///     // "total" INTEGER GENERATED ALWAYS AS ("score" + "bonus") VIRTUAL
  @discardableResult
  public func generatedAs(
    _ expression: some SQLSpecificExpressible,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    let node = expression.node
    return adding {
      $0.generation = .init(expression: node, qualification: qualification)
    }
  }

  /// Computes the value from other columns of the row, in SQL.
  ///
  ///     t.column("total", .integer).generatedAs(sql: "score + bonus", .stored)
  ///     // "total" INTEGER GENERATED ALWAYS AS (score + bonus) STORED
  @discardableResult
  public func generatedAs(
    sql: String,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generatedAs(SQL(sql: sql), qualification)
  }
}

// A definition is changed by the closure that it is given to, and by nobody else.
@available(*, unavailable)
extension ColumnDefinition: Sendable {}
