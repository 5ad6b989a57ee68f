extension DerivableRequest {
  /// Selects the primary key.
  ///
  ///     Player.all().selectPrimaryKey()
  ///     // SELECT "id" FROM "player"
  public func selectPrimaryKey() -> Self { select(SQLExpression(PrimaryKeyColumns())) }
}
