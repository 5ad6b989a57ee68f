/// The definition of a column of an ``FTS4`` table.
public final class FTS4ColumnDefinition {
  let name: String
  var isIndexed = true
  var isLanguageID = false

  init(_ name: String) {
    self.name = name
  }

  /// Excludes the column from the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body, notindexed=body
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  /// Makes the column the language id, which is passed to the tokenizer.
  ///
  ///     t.column("lid").asLanguageId()
  ///     // languageid="lid"
  @discardableResult
  public func asLanguageId() -> Self {
    isLanguageID = true
    return self
  }
}
