internal import Foundation

/// How a record type wants its columns to be read: what its static members say, asked once for the rows of a
/// statement.
final class DecodingRules {
  /// What the columns of a row say to a kind of property.
  private enum Strategies<Strategy> {
    case unknown
    /// All columns are read as the type itself does.
    case deferred
    /// By column.
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
    // What is given for one decoding comes before what holds for the type.
    self.userInfo = userInfo.map { own.merging($0) { _, given in given } } ?? own
  }

  /// The names of the coding keys of the columns, or `nil` when they are the columns' names.
  var keyNames: [String]? {
    guard let strategy = recordType?.databaseColumnDecodingStrategy else { return nil }
    if case .useDefaultKeys = strategy { return nil }
    return columnNames.map(strategy.keyName(ofColumn:))
  }

  /// How a column's date is read, or `nil` when `Date` reads it.
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

  /// How a column's data are read, or `nil` when `Data` reads them.
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

  /// The decoder of a column's JSON.
  func jsonDecoder(forColumn column: String) -> JSONDecoder {
    if let decoder = jsonDecoders[column] { return decoder }
    let decoder = recordType?.databaseJSONDecoder(for: column) ?? ColumnJSON.decoder()
    decoder.userInfo.merge(ColumnJSON.userInfo(userInfo)) { _, given in given }
    jsonDecoders[column] = decoder
    return decoder
  }
}
