/// Describes how a table is altered.
///
///     try db.alter(table: "player") { t in
///       t.add(column: "bonus", .integer).notNull().defaults(to: 0)
///       t.rename(column: "url", to: "homeURL")
///     }
///     // ALTER TABLE "player" ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0
///     // ALTER TABLE "player" RENAME COLUMN "url" TO "homeURL"
///
/// It is used inside of the closure that alters the table only.
public final class TableAlteration {
  enum Change {
    case add(ColumnDefinition)
    case addLiteral(SQL)
    case rename(String, to: String)
    case drop(String)
  }

  let name: String
  private(set) var changes: [Change] = []

  init(name: String) {
    self.name = name
  }

  /// Adds a column.
  ///
  ///     t.add(column: "url", .text)
  ///     // ALTER TABLE "player" ADD COLUMN "url" TEXT
  ///
  /// SQLite adds columns that the rows which are there can have: neither a primary key nor a unique one; with
  /// a constant default if it is `NOT NULL`. https://www.sqlite.org/lang_altertable.html#altertabaddcol
  /// For others see ``Database/rebuild(table:options:body:)``.
  @discardableResult
  public func add(column name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    add(ColumnClause(name: name, type: type))
  }

  /// Adds a column that holds values of a Swift type: it says the type of the column, and whether it can
  /// be NULL.
  ///
  ///     t.add(column: Player.Columns.bonus, default: 0)
  ///     // ALTER TABLE "player" ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0
  @discardableResult
  public func add<Value>(
    column: TypedColumn<Value>,
    default value: Value.Unwrapped? = nil
  ) -> ColumnDefinition {
    add(ColumnClause(column, default: value))
  }

  /// Adds a column that is defined in SQL.
  ///
  ///     t.addColumn(sql: "bonus INTEGER DEFAULT 0")
  ///     // ALTER TABLE "player" ADD COLUMN bonus INTEGER DEFAULT 0
  public func addColumn(sql: String) {
    changes.append(.addLiteral(SQL(sql: sql)))
  }

  /// Adds a column that is defined in SQL, with what the SQL embeds.
  ///
  ///     t.addColumn(literal: "name TEXT DEFAULT \("O'Brien")")
  ///     // ALTER TABLE "player" ADD COLUMN name TEXT DEFAULT 'O''Brien'
  public func addColumn(literal: SQL) {
    changes.append(.addLiteral(literal))
  }

  /// Renames a column, also where indexes, triggers and views name it.
  ///
  ///     t.rename(column: "url", to: "homeURL")
  ///     // ALTER TABLE "player" RENAME COLUMN "url" TO "homeURL"
  public func rename(column name: String, to newName: String) {
    changes.append(.rename(name, to: newName))
  }

  /// Drops a column that nothing else in the schema names.
  ///
  ///     t.drop(column: "age")
  ///     // ALTER TABLE "player" DROP COLUMN "age"
  ///
  /// https://www.sqlite.org/lang_altertable.html#altertabdropcol
  public func drop(column name: String) {
    changes.append(.drop(name))
  }

  private func add(_ clause: ColumnClause) -> ColumnDefinition {
    let column = ColumnDefinition(clause)
    changes.append(.add(column))
    return column
  }
}

// A definition is changed by the closure that it is given to, and by nobody else.
@available(*, unavailable)
extension TableAlteration: Sendable {}

extension Database {
  /// Alters a table.
  ///
  ///     try db.alter(table: "player") { t in t.add(column: "url", .text) }
  ///     // ALTER TABLE "player" ADD COLUMN "url" TEXT
  ///
  /// All changes are done, or none. SQLite can do few of them by itself: see
  /// ``rebuild(table:options:body:)`` for all others.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - body: Says what changes.
  /// - Throws: What `body` throws, and ``DatabaseError`` when SQLite cannot do a change.
  public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
    let alteration = TableAlteration(name: name)
    try body(alteration)
    guard !alteration.changes.isEmpty else { return }
    try inSavepoint {
      for change in alteration.changes { try run(change, on: name) }
      return .commit
    }
  }

  private func run(_ change: TableAlteration.Change, on table: String) throws {
    var index: IndexDefinition?
    try define { context in
      context.append("ALTER TABLE ")
      context.append(identifier: table)
      switch change {
      case .add(let column):
        let keys = ParentKeys(db: self, table: table)
        context.append(" ADD COLUMN ")
        try column.clause.resolved(keys).write(to: &context)
        index = column.clause.index(on: table, options: [])
      case .addLiteral(let sql):
        context.append(" ADD COLUMN ")
        try context.append(sql)
      case .rename(let name, let newName):
        context.append(" RENAME COLUMN ")
        context.append(identifier: name)
        context.append(" TO ")
        context.append(identifier: newName)
      case .drop(let name):
        context.append(" DROP COLUMN ")
        context.append(identifier: name)
      }
    }
    if let index { try define(index.write) }
  }

  /// Renames a table, also where indexes, triggers, views and foreign keys name it.
  ///
  ///     try db.rename(table: "referers", to: "referrers")
  ///     // ALTER TABLE "referers" RENAME TO "referrers"
  ///
  /// - Throws: ``DatabaseError`` when there is no such table, or when the new name is taken.
  public func rename(table name: String, to newName: String) throws {
    let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
    try run(sql: "ALTER TABLE \(names.0) RENAME TO \(names.1)")
  }
}
