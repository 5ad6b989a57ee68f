/// Decodes rows into `Decodable` types: each coding key names a column.
///
///     let item = try FetchableRecordDecoder().decode(Item.self, from: row)
///
/// It is what `init(row:)` of a `Decodable` record uses. A type that is no ``FetchableRecord`` is decoded with
/// the default strategies.
public struct FetchableRecordDecoder {
  private let userInfo: [CodingUserInfoKey: Any]

  /// Makes a decoder.
  ///
  /// `userInfo` is seen by `init(from:)`, with those of ``FetchableRecord/databaseDecodingUserInfo`` that it
  /// does not replace.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a row.
  ///
  /// - Throws: ``RowDecodingError`` when a column is missing, or holds what does not fit.
  public func decode<Value: Decodable>(_ type: Value.Type, from row: Row) throws -> Value {
    let recordType = type as? any FetchableRecord.Type
    guard userInfo.isEmpty else {
      let decoding = RowDecoding(row: row, recordType: recordType, userInfo: userInfo)
      return try decoding.decode(type)
    }
    return try row.decoded(as: type, recordType)
  }
}

extension Row {
  /// Returns the decoder of this row, for code that looks at some columns to choose the type:
  ///
  ///     let decoder = row.decoder()
  ///     let container = try decoder.container(keyedBy: Key.self)
  ///     switch try container.decode(Kind.self, forKey: .kind) {
  ///     case .circle: return try Circle(from: decoder)
  ///     case .square: return try Square(from: decoder)
  ///     }
  ///
  /// The decoder of a cursor's row decodes the row that the cursor stands on, and is used inside of the access.
  ///
  /// - Parameter userInfo: What `init(from:)` sees.
  /// - Returns: A decoder that gives a keyed container, and throws ``RowDecodingError`` for all others.
  public func decoder(userInfo: [CodingUserInfoKey: Any] = [:]) -> any Decoder {
    OwningRowDecoder(decoding: RowDecoding(row: self, recordType: nil, userInfo: userInfo))
  }
}
