internal import CWellspringSQLite
public import FoundationEssentials

extension DatabaseValue: DatabaseValueConvertible {
  /// The value itself.
  public var databaseValue: DatabaseValue { self }

  /// The value itself.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }

  /// Copies the column's value.
  public static func fromColumnValue(_ column: ColumnValue) -> DatabaseValue? {
    column.databaseValue
  }

  /// Binds the value in its storage class.
  public func bind(to parameter: StatementParameter) -> Int32 {
    switch storage {
    case .null: parameter.bindNull()
    case .int64(let value): parameter.bind(value)
    case .double(let value):
      UnstorableValue(value) == nil ? parameter.bind(value) : UnstorableValue.bindingResult
    case .string(let value): parameter.bind(value)
    case .blob(let data): parameter.bind(data)
    }
  }
}

/// A property of an `Encodable` or `Decodable` record that is a `DatabaseValue` holds the value of
/// the column, of any type.
///
/// In JSON and other formats, a value is `null`, a number or a string, and a BLOB is written as the
/// format writes `Data`. So not all values come back from there with the type that they had.
extension DatabaseValue: Codable {
  /// Decodes `null`, a number or a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Int64.self) {
      self = value.databaseValue
    } else if let value = try? container.decode(Double.self) {
      self = value.databaseValue
    } else {
      self = try container.decode(String.self).databaseValue
    }
  }

  /// Encodes `null`, a number, a string or data.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch storage {
    case .null: try container.encodeNil()
    case .int64(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .blob(let value): try container.encode(value)
    }
  }
}

/// A type with a raw value, such as an enum, is stored as that value:
///
///     enum Color: Int, DatabaseValueConvertible { case red, white, rose }
extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }

  /// Reads a raw value. A value without a case gives `nil`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }

  /// Reads a raw value. A value without a case gives `nil`.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Self? {
    RawValue.fromColumnValue(column).flatMap(Self.init(rawValue:))
  }

  /// Binds the raw value.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { rawValue.bind(to: parameter) }
}

// A type that is both `RawRepresentable` and `Codable` has two conversions: the conversion of the
// raw value wins.

extension DatabaseValueConvertible
where Self: RawRepresentable & Encodable, RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: RawRepresentable & Decodable, RawValue: DatabaseValueConvertible {
  /// Reads a raw value. A value without a case gives `nil`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}

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
  /// If the value cannot be encoded, for example because it contains NaN, the result is a value
  /// that cannot be stored: statements and requests with it throw the error of the encoder when
  /// they run.
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
