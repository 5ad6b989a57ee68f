public import Foundation

/// A `Codable` type that declares the conformance, and nothing else, is stored as JSON:
///
///     struct Address: Codable, DatabaseValueConvertible { var street, city: String }
///     try db.execute(sql: "UPDATE shop SET address = ?", arguments: [address])
///     // UPDATE shop SET address = '{"city":"Arles","street":"Rue A"}'
///
/// A type that encodes itself as a single value that a column can hold is stored as that value.
extension DatabaseValueConvertible where Self: Encodable {
  /// The single value that this value encodes itself as; otherwise a TEXT of JSON.
  ///
  /// - Precondition: The value can be encoded.
  public var databaseValue: DatabaseValue {
    do {
      let encoder = ColumnEncoder(encodedType: Self.self, codingPath: [])
      try encode(to: encoder)
      if let value = encoder.result.value { return value }
      return try ColumnJSON.text(of: self, encoder: Self.databaseJSONEncoder())
    } catch {
      fatalError("A \(Self.self) cannot be encoded for the database: \(error)")
    }
  }
}

extension DatabaseValueConvertible where Self: Decodable {
  /// Reads the single value that the type decodes itself from; otherwise JSON, in a TEXT or a BLOB.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    let decoder = SingleValueDecoder(value: value, decodedType: Self.self)
    do {
      return try Self(from: decoder)
    } catch is SingleValueDecoder.NeedsJSON {
      return try? ColumnJSON.decode(Self.self, from: value, decoder: Self.databaseJSONDecoder())
    } catch {
      return nil
    }
  }
}

extension DatabaseValueConvertible {
  /// Makes the encoder of `Encodable` types: base64 data, dates as milliseconds since 1970, sorted keys.
  public static func databaseJSONEncoder() -> JSONEncoder { ColumnJSON.encoder() }

  /// Makes the decoder of `Decodable` types: base64 data, dates as milliseconds since 1970.
  public static func databaseJSONDecoder() -> JSONDecoder { ColumnJSON.decoder() }
}

/// JSON in a column.
enum ColumnJSON {
  static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    // Equal values get equal texts.
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

  /// The same values, for Foundation's coders: they want to be told that the values may cross threads. Here
  /// they do not, as a coder is used by the call that made it.
  static func userInfo(_ values: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
    // `Sendable` has no representation at run time, and so cannot be cast to.
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
