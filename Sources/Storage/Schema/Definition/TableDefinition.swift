/// Describes the columns and constraints of a new table.
///
///     try db.create(table: "player") { t in
///       t.autoIncrementedPrimaryKey("id")
///       t.column("name", .text).notNull()
///       t.belongsTo("team", onDelete: .cascade)
///     }
///     // CREATE TABLE "player" (
///     //   "id" INTEGER PRIMARY KEY AUTOINCREMENT,
///     //   "name" TEXT NOT NULL,
///     //   "teamId" INTEGER REFERENCES "team"("id") ON DELETE CASCADE
///     // )
///     // CREATE INDEX "player_on_teamId" ON "player"("teamId")
///
/// Use it only inside the closure that defines the table.
public class TableDefinition {
  enum Element {
    case column(ColumnDefinition)
    case parent(ForeignKeyDefinition)
    case literal(SQL)
  }

  enum Constraint {
    case constraint(TableConstraint)
    /// The columns of a range of elements form the primary key.
    case primaryKey(Range<Int>, Database.ConflictResolution?)
  }

  /// The name of the table.
  public let name: String

  let options: TableOptions
  private(set) var elements: [Element] = []
  private(set) var constraints: [Constraint] = []

  init(name: String, options: TableOptions) {
    self.name = name
    self.options = options
  }

  // MARK: - Columns

  /// Adds a column.
  ///
  ///     t.column("name", .text)
  ///     // "name" TEXT
  ///     t.column("anything")
  ///     // "anything"
  @discardableResult
  public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    column(ColumnClause(name: name, type: type))
  }

  /// Adds a column for values of a Swift type, which determines the column's type and whether it
  /// can be NULL.
  ///
  ///     // static let name = TypedColumn<String>("name")
  ///     // static let nickname = TypedColumn<String?>("nickname")
  ///     t.column(Player.Columns.name, default: "Anonymous")
  ///     // "name" TEXT NOT NULL DEFAULT 'Anonymous'
  ///     t.column(Player.Columns.nickname)
  ///     // "nickname" TEXT
  ///
  /// - Parameters:
  ///   - column: The name and type of the column.
  ///   - value: The default value of the column.
  /// - Returns: The column, for further constraints.
  @discardableResult
  public func column<Value: DatabaseValueConvertible>(
    _ column: TypedColumn<Value>,
    default value: Value.Unwrapped? = nil
  ) -> ColumnDefinition {
    self.column(ColumnClause(column, default: value))
  }

  /// Adds a column defined in SQL.
  ///
  ///     t.column(sql: "name TEXT COLLATE NOCASE")
  ///     // name TEXT COLLATE NOCASE
  public func column(sql: String) {
    elements.append(.literal(SQL(sql: sql)))
  }

  /// Adds a column defined in SQL with embedded values.
  ///
  ///     t.column(literal: "name TEXT DEFAULT \("O'Brien")")
  ///     // name TEXT DEFAULT 'O''Brien'
  public func column(literal: SQL) {
    elements.append(.literal(literal))
  }

  private func column(_ clause: ColumnClause) -> ColumnDefinition {
    let column = ColumnDefinition(clause)
    elements.append(.column(column))
    return column
  }

  // MARK: - Primary key

  /// Adds an integer primary key that SQLite generates for rows inserted without one.
  ///
  /// Keys of deleted rows are not reused.
  ///
  ///     t.autoIncrementedPrimaryKey("id")
  ///     // "id" INTEGER PRIMARY KEY AUTOINCREMENT
  @discardableResult
  public func autoIncrementedPrimaryKey(
    _ name: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    column(name, .integer).primaryKey(onConflict: conflictResolution, autoincrement: true)
  }

  /// Adds a column that is the primary key.
  ///
  /// The key is `NOT NULL`, implicitly for a column of type `INTEGER`.
  ///
  ///     t.primaryKey("isoCode", .text)
  ///     // "isoCode" TEXT PRIMARY KEY NOT NULL
  @discardableResult
  public func primaryKey(
    _ name: String,
    _ type: Database.ColumnType,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    column(name, type).primaryKey(onConflict: conflictResolution)
  }

  /// Makes the columns that a closure adds the primary key.
  ///
  /// The columns are `NOT NULL`.
  ///
  ///     t.primaryKey {
  ///       t.column("citizenID", .integer)
  ///       t.column("countryCode", .text)
  ///     }
  ///     // "citizenID" INTEGER NOT NULL, "countryCode" TEXT NOT NULL,
  ///     // PRIMARY KEY ("citizenID", "countryCode")
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    body: () throws -> Void
  ) rethrows {
    let start = elements.count
    try body()
    constraints.append(.primaryKey(start..<elements.count, conflictResolution))
  }

  // MARK: - Other tables

  /// Adds columns that refer to the primary key of another table, or of the same one, with an
  /// index.
  ///
  /// The columns have the types of the key. Their names combine the given name with the names of
  /// the key's columns.
  ///
  ///     t.belongsTo("team")
  ///     // "teamId" INTEGER REFERENCES "team"("id")
  ///     // CREATE INDEX "player_on_teamId" ON "player"("teamId")
  ///     t.belongsTo("captain", inTable: "player")
  ///     // "captainId" INTEGER REFERENCES "player"("id")
  ///
  /// The index of a key of several columns is called `index_player_on_teamCountry_teamNumber`. The
  /// only columns of ``primaryKey(onConflict:body:)`` get no second index.
  ///
  /// Creating the table throws an error when the other table does not exist, or when it has no
  /// primary key.
  ///
  /// - Parameters:
  ///   - name: The role of the other row, such as `team` or `captain`.
  ///   - table: The other table; by default, the table with the given name or its English plural:
  ///     `team` or `teams`, `person` or `people`.
  ///   - deleteAction: The action for a row when the row that it refers to is deleted.
  ///   - updateAction: The action for a row when the key of the row that it refers to changes.
  ///   - isDeferred: Whether references are checked only at the end of the transaction.
  ///   - isIndexed: Whether to create an index on the columns.
  /// - Returns: The foreign key, for further constraints.
  @discardableResult
  public func belongsTo(
    _ name: String,
    inTable table: String? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil,
    deferred isDeferred: Bool = false,
    indexed isIndexed: Bool = true
  ) -> ForeignKeyDefinition {
    let definition = ForeignKeyDefinition(
      name: name,
      table: table,
      onDelete: deleteAction,
      onUpdate: updateAction,
      isDeferred: isDeferred,
      isIndexed: isIndexed
    )
    elements.append(.parent(definition))
    return definition
  }

  func add(_ constraint: TableConstraint) {
    constraints.append(.constraint(constraint))
  }
}

// A definition is changed only by the closure that receives it.
@available(*, unavailable)
extension TableDefinition: Sendable {}
