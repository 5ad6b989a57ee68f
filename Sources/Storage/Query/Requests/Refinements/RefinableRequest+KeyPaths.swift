// Several key paths in one call.

extension RefinableRequest where RowDecoder: TableRecord {
  /// Selects the result columns. A later selection replaces an earlier one.
  ///
  ///     Player.all().select(\.id, \.name)
  ///     // SELECT "id", "name" FROM "player"
  public func select<each Selection: SQLSelectable>(
    _ first: (RowDecoder.DatabaseComponents) -> some SQLSelectable,
    _ second: (RowDecoder.DatabaseComponents) -> some SQLSelectable,
    _ others: repeat (RowDecoder.DatabaseComponents) -> each Selection
  ) -> Refined {
    let columns = RowDecoder.databaseComponents
    var selection: [any SQLSelectable] = [first(columns), second(columns)]
    repeat selection.append((each others)(columns))
    return select(selection)
  }

  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.all().order(\.score.desc, \.name)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order<each Term: SQLOrderingTerm>(
    _ first: (RowDecoder.DatabaseComponents) -> some SQLOrderingTerm,
    _ second: (RowDecoder.DatabaseComponents) -> some SQLOrderingTerm,
    _ others: repeat (RowDecoder.DatabaseComponents) -> each Term
  ) -> Refined {
    let columns = RowDecoder.databaseComponents
    var terms: [any SQLOrderingTerm] = [first(columns), second(columns)]
    repeat terms.append((each others)(columns))
    return order(terms)
  }

  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select { [$0.teamID, max($0.score)] }.group(\.teamID, \.color)
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID", "color"
  public func group<each Expression: SQLExpressible>(
    _ first: (RowDecoder.DatabaseComponents) -> some SQLExpressible,
    _ second: (RowDecoder.DatabaseComponents) -> some SQLExpressible,
    _ others: repeat (RowDecoder.DatabaseComponents) -> each Expression
  ) -> Refined {
    let columns = RowDecoder.databaseComponents
    var expressions: [any SQLExpressible] = [first(columns), second(columns)]
    repeat expressions.append((each others)(columns))
    return group(expressions)
  }
}

extension TableRecord {
  /// Selects the result columns.
  ///
  ///     Player.select(\.id, \.name)
  ///     // SELECT "id", "name" FROM "player"
  public static func select<each Selection: SQLSelectable>(
    _ first: (DatabaseComponents) -> some SQLSelectable,
    _ second: (DatabaseComponents) -> some SQLSelectable,
    _ others: repeat (DatabaseComponents) -> each Selection
  ) -> QueryInterfaceRequest<Self> {
    all().select(first, second, repeat each others)
  }

  /// Returns a request for the rows in an order.
  ///
  ///     Player.order(\.score.desc, \.name)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order<each Term: SQLOrderingTerm>(
    _ first: (DatabaseComponents) -> some SQLOrderingTerm,
    _ second: (DatabaseComponents) -> some SQLOrderingTerm,
    _ others: repeat (DatabaseComponents) -> each Term
  ) -> QueryInterfaceRequest<Self> {
    all().order(first, second, repeat each others)
  }
}

// Key paths to the properties of a record without `Columns`.
//
// The forms that take closures take these key paths too, but Swift then makes a key path that holds
// another one, again at each call: that takes some microseconds. Only key paths that can write are
// taken here. In `\.name.capitalized`, the type checker would else find the member of `String`
// instead of the column's member.

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
