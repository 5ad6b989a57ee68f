/// Options for creating a table.
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

  /// Does nothing when the table already exists.
  public static let ifNotExists = TableOptions(rawValue: 1 << 0)
  /// Creates a table that only this connection sees, and that is dropped when the connection
  /// closes.
  public static let temporary = TableOptions(rawValue: 1 << 1)
  /// Stores rows in the order of the primary key, without row ids.
  /// https://www.sqlite.org/withoutrowid.html
  public static let withoutRowID = TableOptions(rawValue: 1 << 2)
  /// Requires values to have the type of their column. https://www.sqlite.org/stricttables.html
  ///
  /// Such a table has the types INTEGER, REAL, TEXT, BLOB and ANY only. `.boolean` becomes INTEGER
  /// there, `.double` REAL, and `.date` and `.datetime` TEXT, which is how values of `Bool` and
  /// `Date` are stored. `.numeric` is an error.
  public static let strict = TableOptions(rawValue: 1 << 3)
}
