extension TableRecord {
  /// Returns the error of a primary key that no row of the table has.
  ///
  ///     throw Player.recordNotFound(db, key: 12)
  ///     // no row in player with id = 12
  ///
  /// - Returns: ``RecordError``, or the ``DatabaseError`` of a table that does not exist.
  public static func recordNotFound(
    _ db: Database,
    key: some DatabaseValueConvertible
  ) -> any Error {
    do {
      let column = try db.primaryKey(databaseTableName).columns[0]
      return recordNotFound(
        key: [column: try KeyValue(key).databaseValue(in: column, of: Self.self)]
      )
    } catch {
      return error
    }
  }

  /// Returns the error of values that no row of the table has.
  ///
  ///     throw Citizenship.recordNotFound(key: ["playerID": 1, "countryCode": "FR"])
  ///     // no row in citizenship with countryCode = 'FR' and playerID = 1
  public static func recordNotFound(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> RecordError {
    .recordNotFound(
      databaseTableName: databaseTableName,
      key: key.mapValues { $0?.databaseValue ?? .null }
    )
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns the error of a primary key that no row of the table has.
  ///
  ///     throw Player.recordNotFound(db, id: 12)
  ///     // no row in player with id = 12
  public static func recordNotFound(_ db: Database, id: ID) -> any Error {
    recordNotFound(db, key: id)
  }
}

extension TableRecord where Self: EncodableRecord {
  /// Returns the error of this record's row when the table does not have it.
  ///
  ///     throw player.recordNotFound(db)
  ///     // no row in player with id = 12
  public func recordNotFound(_ db: Database) -> any Error {
    do {
      return try EncodedRecord(self, db).notFound()
    } catch {
      return error
    }
  }
}
