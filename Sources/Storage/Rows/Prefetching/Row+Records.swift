// Records that a row contains: in its scopes, or as associated rows.

extension Row {
  /// The record of the nearest scope with this name.
  ///
  ///     struct PlayerInfo: FetchableRecord {
  ///       var player: Player
  ///       var team: Team
  ///
  ///       init(row: Row) throws {
  ///         player = try Player(row: row)
  ///         team = row["team"]
  ///       }
  ///     }
  ///
  /// - Precondition: The row has the scope, and the record can be decoded. Use
  ///   ``decode(_:forKey:)-(Record.Type,String)`` for rows that may not fit.
  @_disfavoredOverload
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record {
    do {
      return try decode(Record.self, forKey: scope)
    } catch {
      stop(error)
    }
  }

  /// The record of the nearest scope with this name; `nil` when there is no such scope, or all of
  /// its columns are NULL.
  @_disfavoredOverload
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record? {
    do {
      return try decodeIfPresent(Record.self, forKey: scope)
    } catch {
      stop(error)
    }
  }

  /// The associated records with this name.
  ///
  ///     struct TeamInfo: FetchableRecord {
  ///       var team: Team
  ///       var players: [Player]
  ///
  ///       init(row: Row) throws {
  ///         team = try Team(row: row)
  ///         players = row["players"]
  ///       }
  ///     }
  ///
  /// - Precondition: The request includes all records by this name, and they can be decoded. Use
  ///   ``decode(_:forKey:)-(Records.Type,String)`` for rows that may not fit.
  @inlinable
  @_disfavoredOverload
  public subscript<Records: RangeReplaceableCollection>(_ key: String) -> Records
  where Records.Element: FetchableRecord {
    do {
      return try decode(Records.self, forKey: key)
    } catch {
      failOrStop(error)
      return Records()
    }
  }

  /// The associated records with this name, each one once.
  @inlinable
  @_disfavoredOverload
  public subscript<Record: FetchableRecord & Hashable>(_ key: String) -> Set<Record> {
    do {
      return try decode(Set<Record>.self, forKey: key)
    } catch {
      failOrStop(error)
      return []
    }
  }

  /// Decodes the record of the nearest scope with this name.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such scope, and the errors of the record.
  public func decode<Record: FetchableRecord>(
    _ type: Record.Type = Record.self,
    forKey scope: String
  ) throws -> Record {
    guard let row = scopesTree[scope] else { throw missingAssociation(scope, type) }
    return try Record(row: row)
  }

  /// Decodes the record of the nearest scope with this name. Returns `nil` when there is no such
  /// scope, or all of its columns are NULL.
  ///
  /// - Throws: The errors of the record.
  public func decodeIfPresent<Record: FetchableRecord>(
    _ type: Record.Type = Record.self,
    forKey scope: String
  ) throws -> Record? {
    guard let row = scopesTree[scope], row.containsNonNullValue else { return nil }
    return try Record(row: row)
  }

  /// Decodes the associated records with this name.
  ///
  /// - Throws: ``RowDecodingError`` when the request does not include them, and the errors of the
  ///   records.
  @inlinable
  public func decode<Records: RangeReplaceableCollection>(
    _ type: Records.Type = Records.self,
    forKey key: String
  ) throws -> Records where Records.Element: FetchableRecord {
    guard let records: [Records.Element] = try prefetchedRecords(key) else {
      throw missingAssociation(key, type)
    }
    return records as? Records ?? Records(records)
  }

  /// Decodes the associated records with this name, each one once.
  ///
  /// - Throws: ``RowDecodingError`` when the request does not include them, and the errors of the
  ///   records.
  @inlinable
  public func decode<Record: FetchableRecord & Hashable>(
    _ type: Set<Record>.Type = Set<Record>.self,
    forKey key: String
  ) throws -> Set<Record> {
    guard let records: [Record] = try prefetchedRecords(key) else {
      throw missingAssociation(key, type)
    }
    return Set(records)
  }
}

extension Row {
  /// Returns the error of a property that no association fills.
  @usableFromInline
  func missingAssociation(_ key: String, _ type: Any.Type) -> RowDecodingError {
    let scopes = scopesTree.names.sorted().joined(separator: ", ")
    let prefetched = prefetchedRows.keys.sorted().joined(separator: ", ")
    return RowDecodingError(
      reason: .unsupported(
        """
        no association is called \(key): the request includes one row for each of \
        \(scopes.isEmpty ? "(none)" : scopes), and all rows for each of \
        \(prefetched.isEmpty ? "(none)" : prefetched); include the association, or name it with \
        forKey("\(key)")
        """
      ),
      column: key,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }
}
