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
    // User info that was set on the decoder stays, as in an encoder.
    decoder.userInfo.merge(ColumnJSON.userInfo(userInfo)) { own, _ in own }
    jsonDecoders[column] = decoder
    return decoder
  }
}

/// The columns that the coding keys of one type name, by the keys' bytes.
///
/// To ask a key for its text and to find the column of that text takes as long as reading a column.
/// A key type whose values are one byte, as the compiler makes them for up to 256 properties, needs
/// that once for each key and result instead of once for each value.
struct KeyColumns<Key: CodingKey> {
  private let sqliteStatement: OpaquePointer
  private let columns: UnsafeMutablePointer<Int16>

  /// Whether keys of the type are told apart by one byte.
  static var isPossible: Bool { MemoryLayout<Key>.size == 1 && _isPOD(Key.self) }

  /// Creates the table of a statement's rows.
  ///
  /// - Parameters:
  ///   - columns: The memory of ``allocateKeyColumns()``. It must outlive the table.
  ///   - sqliteStatement: The statement.
  init(_ columns: UnsafeMutablePointer<Int16>, of sqliteStatement: OpaquePointer) {
    self.columns = columns
    self.sqliteStatement = sqliteStatement
  }

  /// The column of a key; `nil` while it was not found.
  subscript(key: Key) -> Int? {
    @inline(__always) get {
      let column = columns[Self.byte(key)]
      return column >= 0 ? Int(column) : nil
    }
    nonmutating set { columns[Self.byte(key)] = newValue.flatMap(Int16.init(exactly:)) ?? -1 }
  }

  /// Returns the value of the current row in the column of a key; `nil` while the column was not
  /// found.
  @inline(__always)
  func value(_ key: Key) -> ColumnValue? {
    let column = columns[Self.byte(key)]
    return column >= 0 ? ColumnValue(sqliteStatement, Int32(column)) : nil
  }

  @inline(__always)
  private static func byte(_ key: Key) -> Int { Int(unsafeBitCast(key, to: UInt8.self)) }
}

/// Allocates the memory of ``KeyColumns``. No column is known in it.
func allocateKeyColumns() -> UnsafeMutablePointer<Int16> {
  let columns = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
  columns.initialize(repeating: -1, count: 256)
  return columns
}
