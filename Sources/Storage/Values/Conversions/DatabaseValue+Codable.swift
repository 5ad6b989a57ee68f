/// A property of an `Encodable` or `Decodable` record that is a `DatabaseValue` holds what the
/// column holds, of any type.
///
/// In JSON and other formats, a value is `null`, a number or a string, and a BLOB is what the
/// format makes of `Data`. So not all values come back from there with the type that they had.
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
