extension RefinableRequest {
  /// Keeps the row with the given primary key; none if the key is NULL.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// In a table without a primary key, the key is the row id. A UUID, a date and data are compared
  /// as the record type stores them: see ``EncodableRecord/databaseUUIDEncodingStrategy(for:)``.
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when the primary key has several
  /// columns.
  public func filter(key: any DatabaseValueConvertible) -> Refined {
    filter(keys: .primary([KeyValue(key)]))
  }

  /// Keeps the rows with the given primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(keys: any Sequence<Key>) -> Refined {
    filter(keys: .primary(keys.map { KeyValue($0) }))
  }

  /// Keeps the row with the given values in the columns of a primary key or a unique index.
  ///
  ///     Citizenship.filter(key: ["playerID": 1, "countryCode": "FR"])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when there is no such key or index.
  public func filter(key: [String: (any DatabaseValueConvertible)?]) -> Refined {
    filter(keys: [key])
  }

  /// Keeps the rows with the given values in the columns of a primary key or a unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player"
  ///     // WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Refined {
    filter(keys: .unique(keys.map { $0.mapValues { KeyValue($0 ?? DatabaseValue.null) } }))
  }

  private func filter(keys: KeyCondition.Keys) -> Refined {
    var keys = keys
    if case .primary(let values) = keys {
      keys = .primary(values.filter { $0 != .value(.null) })
    }
    return filter(SQLExpression(KeyCondition(keys, of: RowDecoder.self)))
  }
}

extension RefinableRequest where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Keeps the row with the given primary key.
  ///
  ///     Player.filter(id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public func filter(id: RowDecoder.ID) -> Refined { filter(key: id) }

  /// Keeps the rows with the given primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter(ids: any Sequence<RowDecoder.ID>) -> Refined { filter(keys: ids) }
}

extension RefinableRequest where RowDecoder: Identifiable {
  /// Keeps the rows with the given primary keys, of records with an optional one: `var id: Int64?`.
  ///
  ///     Table<Player>("player").filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(
    ids: any Sequence<Key>
  ) -> Refined where RowDecoder.ID == Key? {
    filter(keys: ids)
  }
}
