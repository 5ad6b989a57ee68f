internal import FoundationEssentials

/// Reads and writes JSON in a column.
enum ColumnJSON {
  static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    // Sorted keys give equal values equal texts.
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    decoder.dateDecodingStrategy = .millisecondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .throw
    return decoder
  }

  /// Returns the same values in the type that Foundation's coders require.
  ///
  /// The coders require `Sendable` values. The values do not cross threads here, because a coder is
  /// used only by the call that made it.
  static func userInfo(_ values: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
    // `Sendable` has no representation at run time, so a cast is impossible.
    unsafeBitCast(values, to: [CodingUserInfoKey: any Sendable].self)
  }

  static func text(of value: some Encodable, encoder: JSONEncoder) throws -> DatabaseValue {
    String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
  }

  /// - Returns: `nil` when the value is neither a TEXT nor a BLOB.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from value: DatabaseValue,
    decoder: JSONDecoder
  ) throws -> Value? {
    try Data.fromDatabaseValue(value).map { try decoder.decode(type, from: $0) }
  }
}
