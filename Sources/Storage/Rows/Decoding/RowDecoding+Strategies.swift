internal import FoundationEssentials

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
