extension DerivableRequest {
  /// Selects the primary key.
  ///
  ///     Player.all().selectPrimaryKey()
  ///     // SELECT "id" FROM "player"
  public func selectPrimaryKey() -> Self { select(SQLExpression(PrimaryKeyColumns())) }
}

extension DerivableRequest where RowDecoder: Identifiable {
  /// Keeps the rows with the given primary keys, of records with an optional one: `var id: Int64?`.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(
    ids: any Sequence<Key>
  ) -> Self where RowDecoder.ID == Key? {
    filter(keys: ids)
  }
}
