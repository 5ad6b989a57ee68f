internal import FoundationEssentials

/// How a record type stores dates, data and UUIDs in one column.
struct ColumnEncodingStrategies {
  let recordType: any EncodableRecord.Type
  let column: String

  /// Returns the value to store for a date, data or a UUID, optional or not, and `nil` for the
  /// values of other types.
  func databaseValue<Value>(
    of value: Value,
    _ codingPath: [any CodingKey]
  ) throws -> DatabaseValue? {
    // Comparing types costs less than a cast, and most values have other types.
    if Value.self == Date.self || Value.self == Date?.self {
      guard let date = value as? Date else { return .null }
      return recordType.databaseDateEncodingStrategy(for: column).databaseValue(of: date)
    }
    if Value.self == Data.self || Value.self == Data?.self {
      guard let data = value as? Data else { return .null }
      let strategy = recordType.databaseDataEncodingStrategy(for: column)
      if let value = strategy.databaseValue(of: data) { return value }
      throw EncodingError.invalidValue(
        data,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "the data for column \(column) is not valid UTF-8"
        )
      )
    }
    if Value.self == UUID.self || Value.self == UUID?.self {
      guard let uuid = value as? UUID else { return .null }
      return recordType.databaseUUIDEncodingStrategy(for: column).databaseValue(of: uuid)
    }
    return nil
  }
}
