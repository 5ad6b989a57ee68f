/// Describes the changes to a table in ``Database/alter(table:body:)``.
///
///     try db.alter(table: "player") { t in
///       t.add(column: "bonus", .integer).notNull().defaults(to: 0)
///       t.rename(column: "url", to: "homeURL")
///     }
///     // ALTER TABLE "player" ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0
///     // ALTER TABLE "player" RENAME COLUMN "url" TO "homeURL"
///
/// Use it only inside the closure that alters the table.
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
  /// SQLite can only add columns that the existing rows can have: no primary key, no unique column,
  /// and a constant default if the column is `NOT NULL`. For other columns, see
  /// ``Database/rebuild(table:options:body:)``.
  /// https://www.sqlite.org/lang_altertable.html#altertabaddcol
  @discardableResult
  public func add(column name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    add(ColumnClause(name: name, type: type))
  }

  /// Adds a column for values of a Swift type, which determines the column's type and whether it
  /// can be NULL.
  ///
  ///     t.add(column: Player.Columns.bonus, default: 0)
  ///     // ALTER TABLE "player" ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0
  @discardableResult
  public func add<Value: DatabaseValueConvertible>(
    column: TypedColumn<Value>,
    default value: Value.Unwrapped? = nil
  ) -> ColumnDefinition {
    add(ColumnClause(column, default: value))
  }

  /// Is spelled `add(column:_:)`.
  @available(*, unavailable, renamed: "add(column:_:)")
  @discardableResult
  public func add(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    fatalError()
  }

  /// Is spelled `add(column:_:)`.
  @available(*, unavailable, renamed: "add(column:_:)")
  @discardableResult
  public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    fatalError()
  }

  /// Adds a column defined in SQL.
  ///
  ///     t.addColumn(sql: "bonus INTEGER DEFAULT 0")
  ///     // ALTER TABLE "player" ADD COLUMN bonus INTEGER DEFAULT 0
  public func addColumn(sql: String) {
    changes.append(.addLiteral(SQL(sql: sql)))
  }

  /// Adds a column defined in SQL with embedded values.
  ///
  ///     t.addColumn(literal: "name TEXT DEFAULT \("O'Brien")")
  ///     // ALTER TABLE "player" ADD COLUMN name TEXT DEFAULT 'O''Brien'
  public func addColumn(literal: SQL) {
    changes.append(.addLiteral(literal))
  }

  /// Renames a column, including in the indexes, triggers and views that use it.
  ///
  ///     t.rename(column: "url", to: "homeURL")
  ///     // ALTER TABLE "player" RENAME COLUMN "url" TO "homeURL"
  public func rename(column name: String, to newName: String) {
    changes.append(.rename(name, to: newName))
  }

  /// Drops a column that nothing else in the schema refers to.
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

// A definition is changed only by the closure that receives it.
@available(*, unavailable)
extension TableAlteration: Sendable {}
