/// SQLite's module for FTS3 full-text tables. ``FTS4`` and ``FTS5`` have more features.
///
///     try db.create(virtualTable: "document", using: FTS3()) { t in
///       t.column("content")
///     }
///     // CREATE VIRTUAL TABLE "document" USING fts3(content)
///
/// https://www.sqlite.org/fts3.html
public struct FTS3: VirtualTableModule {
  /// The treatment of diacritics.
  public typealias Diacritics = FTS3TokenizerDescriptor.Diacritics

  /// Creates the module.
  public init() {}

  /// The name of the module: `fts3`.
  public var moduleName: String { "fts3" }

  /// Creates an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS3TableDefinition {
    FTS3TableDefinition()
  }

  /// Returns the columns and the tokenizer in SQL.
  public func moduleArguments(
    for definition: FTS3TableDefinition,
    in db: Database
  ) -> [String] {
    definition.columns.map(\.sqlWord) + (definition.tokenizer.map { [$0.moduleArgument] } ?? [])
  }

  /// Does nothing.
  public func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: FTS3TableDefinition
  ) {}
}

/// The definition of a table of ``FTS3``.
public final class FTS3TableDefinition {
  var columns: [String] = []

  /// The tokenizer that splits texts into words; `simple` by default.
  public var tokenizer: FTS3TokenizerDescriptor?

  /// Adds a column.
  ///
  ///     t.column("content")
  ///     // content
  public func column(_ name: String) { columns.append(name) }
}
