/// The definition of a column of an ``FTS5`` table.
public final class FTS5ColumnDefinition {
  let name: String
  var isIndexed = true

  init(_ name: String) {
    self.name = name
  }

  /// Excludes the column from the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body UNINDEXED
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }
}
