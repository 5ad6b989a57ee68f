/// Describes the columns and constraints of a table that is created.
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
/// It is used inside of the closure that defines the table only.
public class TableDefinition {
  enum Element {
    case column(ColumnDefinition)
    case parent(ForeignKeyDefinition)
    case literal(SQL)
  }

  enum Constraint {
    case constraint(TableConstraint)
    /// The columns of some elements are the primary key.
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

  /// Adds a column that holds values of a Swift type: it says the type of the column, and whether it can
  /// be NULL.
  ///
  ///     // static let name = TypedColumn<String>("name"), nickname = TypedColumn<String?>("nickname")
  ///     t.column(Player.Columns.name, default: "Anonymous")
  ///     // "name" TEXT NOT NULL DEFAULT 'Anonymous'
  ///     t.column(Player.Columns.nickname)
  ///     // "nickname" TEXT
  ///
  /// - Parameters:
  ///   - column: The name and the type.
  ///   - value: The value of rows that are inserted without one.
  /// - Returns: The column, to which constraints can be added.
  @discardableResult
  public func column<Value>(
    _ column: TypedColumn<Value>,
    default value: Value.Unwrapped? = nil
  ) -> ColumnDefinition {
    self.column(ColumnClause(column, default: value))
  }

  /// Adds a column that is defined in SQL.
  ///
  ///     t.column(sql: "name TEXT COLLATE NOCASE")
  ///     // name TEXT COLLATE NOCASE
  public func column(sql: String) {
    elements.append(.literal(SQL(sql: sql)))
  }

  /// Adds a column that is defined in SQL, with what the SQL embeds.
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

  /// Adds an integer primary key that SQLite chooses for rows that are inserted without one: never one
  /// that a deleted row had.
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

  /// Adds a column that is the primary key. It is `NOT NULL`, which a column of the type `INTEGER` need not
  /// say.
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

  /// Makes the columns that a closure adds the primary key. They are `NOT NULL`.
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

  /// Adds the columns that refer to the primary key of another table, or of the same one. They have the
  /// name of what they stand for, the names and the types of the key, and an index.
  ///
  ///     t.belongsTo("team")
  ///     // "teamId" INTEGER REFERENCES "team"("id")
  ///     // CREATE INDEX "player_on_teamId" ON "player"("teamId")
  ///     t.belongsTo("captain", inTable: "player")
  ///     // "captainId" INTEGER REFERENCES "player"("id")
  ///
  /// The definition throws when there is no such table, or when it has no primary key.
  ///
  /// - Parameters:
  ///   - name: What a row of the other table is to a row of this one.
  ///   - table: The other table; unless given, that of the name, or of its plural: `team` or `teams`.
  ///   - deleteAction: What happens to this row when the other one is deleted.
  ///   - updateAction: What happens to this row when the other one gets another key.
  ///   - isDeferred: Whether a wrong reference is refused at the end of the transaction only.
  ///   - isIndexed: Whether there is an index.
  /// - Returns: The foreign key, to which constraints can be added.
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

// A definition is changed by the closure that it is given to, and by nobody else.
@available(*, unavailable)
extension TableDefinition: Sendable {}

extension ColumnClause {
  /// A column that holds values of a Swift type.
  init<Value>(_ column: TypedColumn<Value>, default value: Value.Unwrapped?) {
    self.init(name: column.name, type: Value.databaseColumnType)
    // A `DatabaseValue` can be NULL by itself.
    isNotOptional = Value.self == Value.Unwrapped.self && Value.self != DatabaseValue.self
    defaultValue = value.map { .value($0.databaseValue) }
  }
}
