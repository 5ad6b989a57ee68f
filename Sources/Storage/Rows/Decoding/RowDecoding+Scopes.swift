internal import FoundationEssentials

// Decodes coding keys that name a scope of the row, such as a table of a join, instead of a column.

/// The name of a scope in a coding path.
private struct ScopeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension RowDecoding {
  /// The scopes that lead to the row.
  var codingPath: [any CodingKey] {
    row.adapted.map { $0.adaptation.path.map(ScopeKey.init(stringValue:)) } ?? []
  }

  /// Returns the scope that a key names, or `nil` when the key names a column.
  func scope(_ name: String) -> Row? {
    // The fast path: most rows have no scopes, and most keys name columns.
    guard let adapted = row.adapted, !hasColumn(name),
      let adaptation = adapted.adaptation.nearestScopes[name]
    else { return nil }
    guard isOwnedByRow else { return Row(base: adapted.base, adaptation: adaptation) }
    // The row of a cursor has one row for each scope, as long as the cursor runs: so the record of
    // the scope is decoded with names that are looked up once.
    if let known = scopeRows[name] {
      known.rewind()
      return known
    }
    let scope = Row(base: adapted.base, adaptation: adaptation, isReused: true)
    scopeRows[name] = scope
    return scope
  }

  /// Returns whether a key names a column, a scope or associated rows.
  func hasValue(_ name: String) -> Bool {
    hasColumn(name) || scope(name) != nil || hasPrefetchedRows(name)
  }

  /// Returns whether a key names associated rows.
  func hasPrefetchedRows(_ name: String) -> Bool {
    !hasColumn(name) && row.hasPrefetchedRows(name)
  }

  /// The names of the coding keys for which the row has values, scopes or associated rows.
  var allNames: [String] {
    let scopes = row.adapted.map { Array($0.adaptation.scopes.keys) } ?? []
    let prefetched = row.prefetch.map { prefetch in
      prefetch.rows.names.filter { $0.scope == prefetch.scope }.map(\.key)
    }
    let associations = Set(scopes + (prefetched ?? [])).filter { !hasColumn($0) }
    return keyNames + associations.sorted()
  }

  /// Returns the decoder of the row, or the rows, of an association.
  ///
  /// - Throws: ``RowDecodingError`` when the name belongs to a column, or to nothing, or when the
  ///   row has no associated row.
  func decoder(ofAssociation name: String, _ type: Any.Type) throws -> any Decoder {
    guard !hasColumn(name) else {
      throw unsupported(type, "column \(name) has no nested container")
    }
    if hasPrefetchedRows(name) { return PrefetchedRowsDecoder(row: row, key: name) }
    guard let adapted = row.adapted, let adaptation = adapted.adaptation.nearestScopes[name] else {
      throw row.missingColumn(name, type)
    }
    let scope = Row(base: adapted.base, adaptation: adaptation)
    guard scope.containsNonNullValue else { throw row.missingAssociation(name, type) }
    return scope.decoder(userInfo: rules.userInfo)
  }

  private var tableName: String? {
    guard let adapted = row.adapted else { return row.prefetched?.tableName }
    return adapted.adaptation.tableName
  }

  /// Decodes a key that names neither a column nor a scope: associated rows, or a record that the
  /// row itself is. Returns `nil` when the type is neither.
  func decodeWithoutColumn<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value? {
    guard !hasColumn(name) else { return nil }
    if hasPrefetchedRows(name) {
      if let collection = type as? any PrefetchedCollection.Type {
        return try collection.decoded(prefetchedRows: name, of: row) as! Value?
      }
      return try Value(from: PrefetchedRowsDecoder(row: row, key: name))
    }
    if let recordType = type as? any FetchableRecord.Type {
      // The row is a record of its own table. A record of another one has not been included.
      if let table = tableName, let other = type as? any TableRecord.Type,
        table.asciiLowercased != other.databaseTableName.asciiLowercased
      {
        throw row.missingAssociation(name, type)
      }
      // Two keys would be decoded from the same columns, although they name different records.
      if let rootKey, rootKey != name { throw row.missingAssociation(name, type) }
      do {
        let value = try recordType.init(row: row) as? Value
        rootKey = name
        return value
      } catch let error as RowDecodingError where error.reason == .missingColumn {
        throw row.missingAssociation(name, type)
      }
    }
    // For a list that no column holds, the request should have included its association.
    guard row.prefetch != nil || row.adapted != nil, type is any PrefetchedCollection.Type else {
      return nil
    }
    throw row.missingAssociation(name, type)
  }

  /// Decodes the row of a scope. A type that is a record is decoded with its own strategies.
  func decode<Value: Decodable>(_ type: Value.Type, scope: Row) throws -> Value {
    guard let recordType = type as? any FetchableRecord.Type else {
      return try FetchableRecordDecoder().decode(type, from: scope)
    }
    return try recordType.init(row: scope) as! Value
  }
}

// Decodes dates and data with the strategies of the record type.

extension RowDecoding {
  /// Decodes a date or data, optional or not, with the strategy of the record type. Returns `nil`
  /// for other types.
  func decodeByStrategy<Value>(_ type: Value.Type, _ name: String) throws -> Value? {
    // Comparing types costs less than a cast, and most values have other types.
    if Value.self == Date.self {
      return try decodeDate(at: column(name, Date.self)) as? Value
    }
    if Value.self == Data.self { return try decodeData(name) as? Value }
    if Value.self == Date?.self {
      let date = isNil(name) ? nil : try decodeDate(at: column(name, Date.self))
      return .some(date as! Value)
    }
    if Value.self == Data?.self {
      let data = isNil(name) ? nil : try decodeData(name)
      return .some(data as! Value)
    }
    return nil
  }

  /// Decodes a date with the strategy of the record type.
  func decodeDate(at index: Int) throws -> Date {
    guard let strategy = rules.dateStrategy(ofColumn: index) else {
      return try decode(Date.self, at: index)
    }
    guard let date = strategy.date(from: row.databaseValue(at: index)) else {
      throw row.mismatch(atIndex: index, Date.self)
    }
    return date
  }

  private func decodeData(_ name: String) throws -> Data {
    let index = try column(name, Data.self)
    guard let strategy = rules.dataStrategy(ofColumn: index) else {
      return try decode(Data.self, at: index)
    }
    guard let data = strategy.data(from: row.databaseValue(at: index)) else {
      throw row.mismatch(atIndex: index, Data.self)
    }
    return data
  }
}
