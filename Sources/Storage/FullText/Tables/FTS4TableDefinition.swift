/// The definition of a table of ``FTS4``.
public final class FTS4TableDefinition {
  /// The order in which a table stores the rows that contain a word.
  public enum Order: String, Sendable {
    /// By ascending row id.
    case ascending = "asc"
    /// By descending row id, which makes queries with `ORDER BY docid DESC` fast.
    case descending = "desc"

    /// By ascending row id.
    public static var asc: Order { .ascending }
    /// By descending row id.
    public static var desc: Order { .descending }
  }

  var columns: [FTS4ColumnDefinition] = []
  var source = FullTextContent.own
  let configuration: VirtualTableConfiguration

  init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// The tokenizer that splits texts into words; `simple` by default.
  ///
  ///     t.tokenizer = .porter
  ///     // tokenize=porter
  public var tokenizer: FTS3TokenizerDescriptor?

  /// The name of the table or view that stores the texts; empty when the texts are not stored.
  ///
  ///     t.content = "document"
  ///     // content="document"
  public var content: String? {
    get { source.tableName }
    set { source = FullTextContent(tableName: newValue) }
  }

  /// The name of an SQL function that compresses texts.
  public var compress: String?

  /// The name of an SQL function that expands texts.
  public var uncompress: String?

  /// `fts3` for a smaller index that provides less information to `matchinfo`.
  public var matchinfo: String?

  /// The order in which the rows that contain a word are stored.
  public var order: Order?

  /// The lengths, in bytes, of the word prefixes that get their own index.
  ///
  ///     t.prefixes = [2, 4]
  ///     // prefix="2,4"
  public var prefixes: Set<Int>?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS4ColumnDefinition {
    let column = FTS4ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Indexes the texts of another table, and keeps the index up to date with triggers.
  ///
  /// If the definition adds no columns, it gets those of the other table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content="document"
  ///
  /// See ``Database/dropFTS4SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}
