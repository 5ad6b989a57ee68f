public import FoundationEssentials

/// A `Codable` type that declares the conformance without implementing it is stored as JSON:
///
///     struct Address: Codable, DatabaseValueConvertible { var street, city: String }
///     try db.execute(sql: "UPDATE shop SET address = ?", arguments: [address])
///     // UPDATE shop SET address = '{"city":"Arles","street":"Rue A"}'
///
/// A type that encodes itself as a single value, such as a number, is stored as that value.
extension DatabaseValueConvertible where Self: Encodable {
  /// The single value that this value encodes itself as, or JSON in a TEXT.
  ///
  /// Of a value that cannot be encoded, such as one that contains NaN, it is a value that nothing
  /// stores: a statement to which it is bound, and a request that contains it, throw the error of
  /// the encoder when they run.
  public var databaseValue: DatabaseValue {
    do {
      let encoder = ColumnEncoder(encodedType: Self.self, codingPath: [])
      try encode(to: encoder)
      if let value = encoder.result.value { return value }
      return try ColumnJSON.text(of: self, encoder: Self.databaseJSONEncoder())
    } catch {
      return EncodingFailures.value(of: error)
    }
  }
}

extension DatabaseValueConvertible where Self: Decodable {
  /// Reads the single value that the type decodes itself from, or JSON in a TEXT or a BLOB.
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
  /// Returns the encoder for types stored as JSON: data as base64, dates as milliseconds since
  /// 1970, keys sorted.
  public static func databaseJSONEncoder() -> JSONEncoder { ColumnJSON.encoder() }

  /// Returns the decoder for types stored as JSON: data as base64, dates as milliseconds since
  /// 1970.
  public static func databaseJSONDecoder() -> JSONDecoder { ColumnJSON.decoder() }
}
