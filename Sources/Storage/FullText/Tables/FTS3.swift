/// Full-text tables of SQLite's module FTS3. ``FTS4`` and ``FTS5`` can do more.
///
///     try db.create(virtualTable: "document", using: FTS3()) { t in
///       t.column("content")
///     }
///     // CREATE VIRTUAL TABLE "document" USING fts3(content)
///
/// https://www.sqlite.org/fts3.html
public struct FTS3: VirtualTableModule {
  /// Makes the module.
  public init() {}

  /// The name of the module: `fts3`.
  public var moduleName: String { "fts3" }

  /// Makes an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS3TableDefinition {
    FTS3TableDefinition()
  }

  /// The columns and the tokenizer, as SQL.
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

/// What a table of ``FTS3`` is defined by.
public final class FTS3TableDefinition {
  fileprivate var columns: [String] = []

  /// What splits texts into words; `simple` unless it is set.
  public var tokenizer: FTS3TokenizerDescriptor?

  /// Adds a column.
  ///
  ///     t.column("content")
  ///     // content
  public func column(_ name: String) { columns.append(name) }
}
