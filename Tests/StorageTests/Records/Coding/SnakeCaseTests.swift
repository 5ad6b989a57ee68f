import Foundation
@testable import Storage
import Testing

/// Tests the conversions against `JSONDecoder` and `JSONEncoder`.
@Suite struct SnakeCaseTests {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  struct Keys: Decodable {
    var names: [String]
    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
    }
  }

  static let names = [
    "name", "firstName", "first_name", "first_Name", "myURLProperty", "URL", "aURL", "myURL",
    "x1Y2",
    "_private", "_private_name_", "__a__b__", "_", "__", "a_b_c", "A", "Ab", "aB", "ID", "user_id",
    "FIRST_NAME", "ünïCode", "one_twoThree",
  ]

  @Test(arguments: names)
  func `columns are converted to keys as by JSONDecoder`(name: String) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let keys = try decoder.decode(Keys.self, from: JSONEncoder().encode([name: 1]))
    #expect([SnakeCase.camelCased(name)] == keys.names)
  }

  @Test(arguments: names)
  func `keys are converted to columns as by JSONEncoder`(name: String) throws {
    struct Value: Encodable {
      var key: Key
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: key)
      }
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let json = try encoder.encode(Value(key: Key(stringValue: name)))
    #expect(String(decoding: json, as: UTF8.self) == "{\"\(SnakeCase.snakeCased(name))\":1}")
  }
}
