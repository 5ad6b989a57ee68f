internal import FoundationEssentials

/// A value that a key is given: a record type says how its columns store dates, data and UUIDs.
enum KeyValue: Hashable {
  case value(DatabaseValue)
  case date(Date)
  case data(Data)
  case uuid(UUID)

  init(_ value: any DatabaseValueConvertible) {
    // Comparing types costs less than a cast, and most keys have other types.
    let type = Swift.type(of: value) as any Any.Type
    if type == UUID.self || type == UUID?.self, let uuid = value as? UUID {
      self = .uuid(uuid)
    } else if type == Date.self || type == Date?.self, let date = value as? Date {
      self = .date(date)
    } else if type == Data.self || type == Data?.self, let data = value as? Data {
      self = .data(data)
    } else {
      self = .value(value.databaseValue)
    }
  }

  /// Whether the value is stored as a column says.
  var dependsOnColumn: Bool {
    if case .value = self { false } else { true }
  }

  /// Returns the stored value.
  ///
  /// - Throws: `EncodingError` when the column stores text, and data is not UTF-8.
  func databaseValue(
    in column: String,
    of recordType: (any EncodableRecord.Type)?
  ) throws -> DatabaseValue {
    switch self {
    case .value(let value): value
    case .date(let date): try stored(date, column, recordType)
    case .data(let data): try stored(data, column, recordType)
    case .uuid(let uuid): try stored(uuid, column, recordType)
    }
  }

  /// Returns the stored value of a key of a type of rows.
  ///
  /// - Throws: `EncodingError` when the column stores text, and data is not UTF-8.
  func databaseValue(in column: String, of rowType: Any.Type) throws -> DatabaseValue {
    let recordType = dependsOnColumn ? rowType as? any EncodableRecord.Type : nil
    return try databaseValue(in: column, of: recordType)
  }

  private func stored<Value: DatabaseValueConvertible>(
    _ value: Value,
    _ column: String,
    _ recordType: (any EncodableRecord.Type)?
  ) throws -> DatabaseValue {
    guard let recordType else { return value.databaseValue }
    let strategies = ColumnEncodingStrategies(recordType: recordType, column: column)
    return try strategies.databaseValue(of: value, []) ?? value.databaseValue
  }
}
