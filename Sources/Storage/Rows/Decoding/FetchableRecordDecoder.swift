/// Decodes rows into `Decodable` types: each coding key names a column.
///
///     let item = try FetchableRecordDecoder().decode(Item.self, from: row)
///
/// `init(row:)` of a `Decodable` record uses it. A type that is not a ``FetchableRecord`` is
/// decoded with the default strategies.
public struct FetchableRecordDecoder {
  private let userInfo: [CodingUserInfoKey: Any]

  /// Creates a decoder.
  ///
  /// - Parameter userInfo: Values for the decoder's `userInfo`. They override the values of
  ///   ``FetchableRecord/databaseDecodingUserInfo``.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a row.
  ///
  /// - Throws: ``RowDecodingError`` when a column is missing, or its value does not fit the type.
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
  /// Returns a decoder of this row, for code that chooses the type to decode by the content of the
  /// row:
  ///
  ///     func shape(of row: Row) throws -> any Shape {
  ///       let decoder = row.decoder()
  ///       let container = try decoder.container(keyedBy: Key.self)
  ///       switch try container.decode(Kind.self, forKey: .kind) {
  ///       case .circle: return try Circle(from: decoder)
  ///       case .square: return try Square(from: decoder)
  ///       }
  ///     }
  ///
  /// The decoder of a live row decodes the current row of the cursor, and must be used inside the
  /// access.
  ///
  /// - Parameter userInfo: The decoder's `userInfo`.
  /// - Returns: A decoder that provides a keyed container, and throws ``RowDecodingError`` for
  ///   other containers.
  public func decoder(userInfo: [CodingUserInfoKey: Any] = [:]) -> any Decoder {
    OwningRowDecoder(decoding: RowDecoding(row: self, recordType: nil, userInfo: userInfo))
  }
}
