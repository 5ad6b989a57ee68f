extension DerivableRequest {
  /// The row with a primary key, or no row when the key is NULL.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// A table without a primary key has row ids. Fetching throws ``DatabaseError`` with `SQLITE_MISUSE`
  /// when the key has several columns.
  public func filter(key: any DatabaseValueConvertible) -> Self {
    filter(keys: [key.databaseValue])
  }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(keys: any Sequence<Key>) -> Self {
    filter(keys: .primary(keys.map(\.databaseValue).filter { !$0.isNull }))
  }

  /// The row with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Citizenship.filter(key: ["playerID": 1, "countryCode": "FR"])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when there is no such key or index.
  public func filter(key: [String: (any DatabaseValueConvertible)?]) -> Self {
    filter(keys: [key])
  }

  /// The rows with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player" WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Self {
    filter(keys: .unique(keys.map { $0.mapValues { $0?.databaseValue ?? .null } }))
  }

  private func filter(keys: KeyCondition.Keys) -> Self {
    filter(SQLExpression(KeyCondition(keys: keys)))
  }
}

extension DerivableRequest where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// The row with a primary key.
  ///
  ///     Player.filter(id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public func filter(id: RowDecoder.ID) -> Self { filter(key: id) }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter(ids: any Sequence<RowDecoder.ID>) -> Self { filter(keys: ids) }
}
