/// The definition of a table of ``FTS5``.
public final class FTS5TableDefinition {
  var columns: [FTS5ColumnDefinition] = []
  var source = FullTextContent.own
  let configuration: VirtualTableConfiguration

  init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// The tokenizer that splits texts into words; `unicode61` by default.
  ///
  ///     t.tokenizer = .porter()
  ///     // tokenize='porter'
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The name of the table or view that stores the texts; empty when the texts are not stored.
  ///
  ///     t.content = "document"
  ///     // content='document'
  public var content: String? {
    get { source.tableName }
    set { source = FullTextContent(tableName: newValue) }
  }

  /// The column of the ``content`` table that holds the row ids; `rowid` by default.
  public var contentRowID: String?

  /// The lengths, in characters, of the word prefixes that get their own index.
  ///
  ///     t.prefixes = [2, 4]
  ///     // prefix='2 4'
  public var prefixes: Set<Int>?

  /// 0 for a smaller table, for which `bm25` must read the texts.
  public var columnSize: Int?

  /// `column` or `none` for a smaller index that records less about the positions of words.
  public var detail: String?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS5ColumnDefinition {
    let column = FTS5ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Indexes the texts of another table, and keeps the index up to date with triggers.
  ///
  /// If the definition adds no columns, it gets those of the other table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content='document', content_rowid='id'
  ///
  /// See ``Database/dropFTS5SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}
