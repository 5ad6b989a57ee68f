// Key paths to the properties of a record without `Columns`.
//
// The forms that take closures take these key paths too, but Swift then makes a key path that holds
// another one, again at each call: that takes some microseconds. Only key paths that can write are
// taken here. In `\.name.capitalized`, the type checker would else find the member of `String`
// instead of that of the column.

extension RefinableRequest
where
  RowDecoder: TableRecord & Decodable,
  RowDecoder.DatabaseComponents == PropertyColumns<RowDecoder>.Type
{
  /// Keeps the rows for which a column is true. Several filters are joined with `AND`.
  ///
  ///     Book.all().filter(\.isLent)
  ///     // SELECT * FROM "book" WHERE "isLent"
  public func filter(_ property: WritableKeyPath<RowDecoder, Bool>) -> Refined {
    filter(RecordProperties.column(of: property))
  }

  /// Selects the result column. A later selection replaces an earlier one.
  ///
  ///     Book.all().select(\.title)
  ///     // SELECT "title" FROM "book"
  public func select(_ property: WritableKeyPath<RowDecoder, some Any>) -> Refined {
    select([RecordProperties.column(of: property)])
  }

  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Book.all().order(\.title)
  ///     // SELECT * FROM "book" ORDER BY "title"
  public func order(_ property: WritableKeyPath<RowDecoder, some Any>) -> Refined {
    order([RecordProperties.column(of: property)])
  }

  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Book.select { [$0.genre, max($0.price)] }.group(\.genre)
  ///     // SELECT "genre", MAX("price") FROM "book" GROUP BY "genre"
  public func group(_ property: WritableKeyPath<RowDecoder, some Any>) -> Refined {
    group([RecordProperties.column(of: property)])
  }
}

extension TableRecord where Self: Decodable, DatabaseComponents == PropertyColumns<Self>.Type {
  /// Returns a request for the rows for which a column is true.
  ///
  ///     Book.filter(\.isLent)
  ///     // SELECT * FROM "book" WHERE "isLent"
  public static func filter(
    _ property: WritableKeyPath<Self, Bool>
  ) -> QueryInterfaceRequest<Self> { all().filter(property) }

  /// Selects the result column.
  ///
  ///     Book.select(\.title)
  ///     // SELECT "title" FROM "book"
  public static func select(
    _ property: WritableKeyPath<Self, some Any>
  ) -> QueryInterfaceRequest<Self> { all().select(property) }

  /// Returns a request for the rows in an order.
  ///
  ///     Book.order(\.title)
  ///     // SELECT * FROM "book" ORDER BY "title"
  public static func order(
    _ property: WritableKeyPath<Self, some Any>
  ) -> QueryInterfaceRequest<Self> { all().order(property) }
}
