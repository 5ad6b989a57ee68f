/// A virtual table module of SQLite, with a Swift definition of its tables.
///
///     struct SpellFix: VirtualTableModule {
///       final class TableDefinition { var language = "" }
///       var moduleName: String { "spellfix1" }
///       func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
///         TableDefinition()
///       }
///       func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
///         ["edit_cost_table=\(definition.language)"]
///       }
///       func database(_: Database, didCreate _: String, using _: TableDefinition) {}
///     }
///     try db.create(virtualTable: "vocabulary", using: SpellFix()) { t in t.language = "en" }
///     // CREATE VIRTUAL TABLE "vocabulary" USING spellfix1(edit_cost_table=en)
public protocol VirtualTableModule<TableDefinition> {
  /// The type of the definition that the closure of
  /// ``Database/create(virtualTable:options:using:_:)`` configures.
  associatedtype TableDefinition

  /// The name of the module, in SQL.
  var moduleName: String { get }

  /// Creates the definition that the closure configures.
  func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

  /// Returns the arguments of the module, in SQL.
  func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

  /// Completes a new table, for example by creating triggers. It runs in the transaction that
  /// created the table; when it throws, the table is not created.
  func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: TableDefinition
  ) throws
}
