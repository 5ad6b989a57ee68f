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
