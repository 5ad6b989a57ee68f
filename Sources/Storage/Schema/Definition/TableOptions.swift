/// What kind of table is created.
///
///     try db.create(table: "example", options: [.temporary, .ifNotExists]) { t in … }
///     // CREATE TEMPORARY TABLE IF NOT EXISTS "example" (…)
public struct TableOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A table that is there already is left as it is.
  public static let ifNotExists = TableOptions(rawValue: 1 << 0)
  /// The connection that creates the table is the only one that sees it. It is gone when the connection is
  /// closed.
  public static let temporary = TableOptions(rawValue: 1 << 1)
  /// Rows are stored in the order of the primary key, without row ids.
  /// https://www.sqlite.org/withoutrowid.html
  public static let withoutRowID = TableOptions(rawValue: 1 << 2)
  /// Values must be of the type of their column. https://www.sqlite.org/stricttables.html
  public static let strict = TableOptions(rawValue: 1 << 3)
}
