internal import FoundationEssentials

/// How a record type decodes its columns.
///
/// The rules come from static members of the type, which are read once for all rows of a statement.
final class DecodingRules {
  /// The decoding strategies of the columns for one type of property.
  private enum Strategies<Strategy> {
    case unknown
    /// All columns use the conversion of the type itself.
    case deferred
    /// One strategy per column.
    case listed([Strategy])
  }

  let userInfo: [CodingUserInfoKey: Any]
  private let recordType: (any FetchableRecord.Type)?
  private let columnNames: [String]
  @exclusivity(unchecked) private var dates = Strategies<DatabaseDateDecodingStrategy>.unknown
  @exclusivity(unchecked) private var data = Strategies<DatabaseDataDecodingStrategy>.unknown
  private var jsonDecoders: [String: JSONDecoder] = [:]

  init(
    recordType: (any FetchableRecord.Type)?,
    columnNames: [String],
    userInfo: [CodingUserInfoKey: Any]?
  ) {
    self.recordType = recordType
    self.columnNames = columnNames
    let own = recordType?.databaseDecodingUserInfo ?? [:]
    // The values of a single decoding override the values of the type.
    self.userInfo = userInfo.map { own.merging($0) { _, given in given } } ?? own
  }

  /// Returns whether these are the rules of a record type.
  func decodes(_ type: any FetchableRecord.Type) -> Bool {
    recordType.map { ObjectIdentifier($0) == ObjectIdentifier(type) } ?? false
  }

  /// The names of the coding keys of the columns, or `nil` when keys and columns have the same
  /// names.
  var keyNames: [String]? {
    guard let strategy = recordType?.databaseColumnDecodingStrategy else { return nil }
    if case .useDefaultKeys = strategy { return nil }
    return columnNames.map(strategy.keyName(ofColumn:))
  }

  /// Returns the strategy for a date in a column, or `nil` for the conversion of `Date` itself.
  @inline(__always)
  func dateStrategy(ofColumn index: Int) -> DatabaseDateDecodingStrategy? {
    switch dates {
    case .deferred: return nil
    case .listed(let strategies): return strategies[index]
    case .unknown: break
    }
    return findDateStrategies(index)
  }

  private func findDateStrategies(_ index: Int) -> DatabaseDateDecodingStrategy? {
    guard let recordType else {
      dates = .deferred
      return nil
    }
    let strategies = columnNames.map { recordType.databaseDateDecodingStrategy(for: $0) }
    let isDeferred = strategies.allSatisfy { if case .deferredToDate = $0 { true } else { false } }
    dates = isDeferred ? .deferred : .listed(strategies)
    return isDeferred ? nil : strategies[index]
  }

  /// Returns the strategy for data in a column, or `nil` for the conversion of `Data` itself.
  func dataStrategy(ofColumn index: Int) -> DatabaseDataDecodingStrategy? {
    switch data {
    case .deferred: return nil
    case .listed(let strategies): return strategies[index]
    case .unknown: break
    }
    guard let recordType else {
      data = .deferred
      return nil
    }
    let strategies = columnNames.map { recordType.databaseDataDecodingStrategy(for: $0) }
    let isDeferred = strategies.allSatisfy { if case .deferredToData = $0 { true } else { false } }
    data = isDeferred ? .deferred : .listed(strategies)
    return isDeferred ? nil : strategies[index]
  }

  /// Returns the decoder for JSON in a column.
  func jsonDecoder(forColumn column: String) -> JSONDecoder {
    if let decoder = jsonDecoders[column] { return decoder }
    let decoder = recordType?.databaseJSONDecoder(for: column) ?? ColumnJSON.decoder()
    // What the decoder has been given on purpose stays, as in an encoder.
    decoder.userInfo.merge(ColumnJSON.userInfo(userInfo)) { own, _ in own }
    jsonDecoders[column] = decoder
    return decoder
  }
}
