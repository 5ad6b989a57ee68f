/// Describes a column of a new or altered table: each method adds a constraint.
///
///     try db.create(table: "player") { t in
///       t.column("name", .text).notNull().defaults(to: "Anonymous")
///     }
///     // CREATE TABLE "player" ("name" TEXT NOT NULL DEFAULT 'Anonymous')
///
/// Use it only inside the closure that defines the table.
public final class ColumnDefinition {
  /// The time at which the value of a generated column is computed.
  public enum GeneratedColumnQualification: String, Sendable {
    /// When the value is read.
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

  /// Makes the column the primary key of its table.
  ///
  /// The key is `NOT NULL`, implicitly for a column of type `INTEGER`.
  ///
  ///     t.column("id", .integer).primaryKey(autoincrement: true)
  ///     // "id" INTEGER PRIMARY KEY AUTOINCREMENT
  ///
  /// - Parameters:
  ///   - conflictResolution: How a row with an existing key is handled.
  ///   - autoincrement: Whether ids of deleted rows are never reused. This requires a column of
  ///     type `INTEGER`: for other types, creating the table throws an error.
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

  /// Adds a unique constraint: no two rows can have equal values.
  ///
  ///     t.column("email", .text).unique(onConflict: .replace)
  ///     // "email" TEXT UNIQUE ON CONFLICT REPLACE
  @discardableResult
  public func unique(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    adding { $0.unique = conflictResolution ?? .abort }
  }

  /// Creates an index on the column after the table is created.
  ///
  ///     t.column("score", .integer).indexed()
  ///     // "score" INTEGER
  ///     // CREATE INDEX "player_on_score" ON "player"("score")
  @discardableResult
  public func indexed() -> Self {
    adding { $0.isIndexed = true }
  }

  /// Makes the column refer to a row of another table, or of the same one.
  ///
  /// Unless a column is named, it refers to the primary key, which is looked up in the schema.
  ///
  ///     t.column("countryCode", .text).references("country", onDelete: .cascade)
  ///     // "countryCode" TEXT REFERENCES "country"("code") ON DELETE CASCADE
  ///
  /// Creating or altering the table throws an error when the other table does not exist, or when
  /// its primary key is not a single column.
  ///
  /// - Parameters:
  ///   - table: The table that the column refers to.
  ///   - column: A unique column of that table; its primary key by default.
  ///   - deleteAction: The action for a row when the row that it refers to is deleted.
  ///   - updateAction: The action for a row when the key of the row that it refers to changes.
  ///   - isDeferred: Whether references are checked only at the end of the transaction.
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

  /// Adds a `NOT NULL` constraint.
  ///
  ///     t.column("email", .text).notNull()
  ///     // "email" TEXT NOT NULL
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    adding { $0.notNull = conflictResolution ?? .abort }
  }

  /// Adds a check constraint: values for which the condition is false are refused.
  ///
  ///     t.column("name", .text).check { length($0) > 0 }
  ///     // "name" TEXT CHECK (LENGTH("name") > 0)
  @discardableResult
  public func check(_ condition: (Column) throws -> some SQLCondition) rethrows -> Self {
    let node = try condition(Column(clause.name)).sqlExpression.node
    return adding { $0.checks.append(node) }
  }

  /// Adds a check constraint in SQL: values for which the condition is false are refused.
  ///
  ///     t.column("score", .integer).check(sql: "score > 0")
  ///     // "score" INTEGER CHECK (score > 0)
  @discardableResult
  public func check(sql: String) -> Self {
    adding { $0.checks.append(SQL(sql: sql).node) }
  }

  /// Sets the default value of the column: a constant, or an expression that SQLite evaluates for
  /// each inserted row.
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

  /// Is spelled ``defaults(to:)``.
  @available(*, unavailable, renamed: "defaults(to:)")
  @discardableResult
  public func `default`(_ value: some SQLExpressible) -> Self { fatalError() }

  /// Sets the default value of the column in SQL.
  ///
  /// An expression other than a literal must be in parentheses.
  ///
  ///     t.column("createdAt", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
  ///     // "createdAt" DATETIME DEFAULT CURRENT_TIMESTAMP
  @discardableResult
  public func defaults(sql: String) -> Self {
    adding { $0.defaultValue = .sql(sql) }
  }

  /// Sets the collation that compares and sorts strings.
  ///
  ///     t.column("email", .text).collate(.nocase)
  ///     // "email" TEXT COLLATE NOCASE
  @discardableResult
  public func collate(_ collation: Database.CollationName) -> Self {
    adding { $0.collation = collation.rawValue }
  }

  /// Sets a collation defined in Swift that compares and sorts strings.
  ///
  /// Every connection that uses the column needs the collation: see ``DatabaseCollation``.
  ///
  ///     t.column("name", .text).collate(.localizedStandardCompare)
  ///     // "name" TEXT COLLATE swiftLocalizedStandardCompare
  @discardableResult
  public func collate(_ collation: DatabaseCollation) -> Self {
    adding { $0.collation = collation.name }
  }

  /// Makes the column a generated column, computed from other columns of the row.
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

  /// Makes the column a generated column, computed from other columns of the row.
  ///
  ///     t.column("total", .integer).generatedAs(Player.columns.score + 10, .stored)
  ///     // "total" INTEGER GENERATED ALWAYS AS ("score" + 10) STORED
  @discardableResult
  public func generatedAs(
    _ expression: some TypedExpressible,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generatedAs(expression.untyped, qualification)
  }

  /// Makes the column a generated column, computed from other columns of the row in SQL.
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

// A definition is changed only by the closure that receives it.
@available(*, unavailable)
extension ColumnDefinition: Sendable {}
