import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct CodableConversionTests {
  struct Address: Codable, Hashable, DatabaseValueConvertible {
    var street: String
    var since: Date?
    var codes: [Int] = []
  }

  /// Encodes itself as a single value.
  struct Name: Codable, Hashable, DatabaseValueConvertible {
    var text: String

    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Verbose: Codable, Hashable, DatabaseValueConvertible {
    var at: Date
    static func databaseJSONEncoder() -> JSONEncoder {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return encoder
    }
    static func databaseJSONDecoder() -> JSONDecoder {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return decoder
    }
  }

  @Test func `A-037: a Codable type is stored as JSON`() throws {
    let address = Address(street: "Rue \"A\"", since: Date(timeIntervalSince1970: 1.5), codes: [1])
    try expectRoundTrip(address, #"{"codes":[1],"since":1500,"street":"Rue \"A\""}"#)
    try expectRoundTrip(Address(street: ""), #"{"codes":[],"street":""}"#)
    try expectRoundTrip(Name("cup"), "cup")
    try expectRoundTrip(
      Verbose(at: Date(timeIntervalSince1970: 0)),
      #"{"at":"1970-01-01T00:00:00Z"}"#
    )
    try expectRefusal(
      Address.self,
      "NULL",
      "1",
      "''",
      "'{}'",
      "'{\"street\":1,\"codes\":[]}'",
      "x'FF'"
    )
    try expectRefusal(Name.self, "NULL", "1")
    let read = try withDatabase { db in
      try Address.fetchOne(db, sql: "SELECT CAST('{\"street\":\"x\",\"codes\":[]}' AS BLOB)")
    }
    #expect(read == Address(street: "x"))
  }
}
