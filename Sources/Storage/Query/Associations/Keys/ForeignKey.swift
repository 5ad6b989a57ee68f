/// The columns by which the rows of two tables belong together.
///
///     struct Book: TableRecord {
///       static let authorKey = ForeignKey(["authorID"])
///       static let translatorKey = ForeignKey(["translatorID"])
///       static let author = belongsTo(Person.self, key: "author", using: authorKey)
///       static let translator = belongsTo(Person.self, key: "translator", using: translatorKey)
///     }
///
/// An association needs one where the schema declares no foreign key between the tables, or
/// several.
public struct ForeignKey: Hashable, Sendable {
  /// The columns of the table that refers to the other one.
  let originColumns: [String]
  /// The columns of the other table; `nil` for those that the schema declares, or else its primary
  /// key.
  let destinationColumns: [String]?

  /// Creates a foreign key from the names of columns.
  ///
  ///     ForeignKey(["authorID"])
  ///     ForeignKey(["countryCode"], to: ["isoCode"])
  ///
  /// - Parameters:
  ///   - columns: The columns of the table that refers to the other one.
  ///   - destination: The columns of the other table; by default, those that the schema declares,
  ///     or else its primary key.
  /// - Precondition: Both lists have the same number of columns.
  public init(_ columns: [String], to destination: [String]? = nil) {
    precondition(
      destination == nil || destination?.count == columns.count,
      """
      A foreign key refers from \(columns.count) columns to \(destination?.count ?? 0) columns. Give \
      as many on both sides.
      """
    )
    originColumns = columns
    destinationColumns = destination
  }

  /// Creates a foreign key from columns: see ``init(_:to:)-([String],_)``.
  ///
  ///     ForeignKey([Columns.authorID])
  public init(
    _ columns: [any NamedColumn],
    to destination: [any NamedColumn]? = nil
  ) {
    self.init(columns.map(\.name), to: destination?.map(\.name))
  }
}
