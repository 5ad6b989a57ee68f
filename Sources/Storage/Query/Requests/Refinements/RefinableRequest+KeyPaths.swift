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
