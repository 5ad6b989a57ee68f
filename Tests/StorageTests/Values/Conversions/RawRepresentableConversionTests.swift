import Storage
import Testing

@Suite struct RawRepresentableConversionTests {
  enum Color: Int, DatabaseValueConvertible { case red, white }
  enum Grape: String, Codable, DatabaseValueConvertible { case merlot, syrah }
  struct Tag: RawRepresentable, Hashable, DatabaseValueConvertible { var rawValue: String }

  @Test func `VAL-13: a type with a raw value is stored as its raw value`() throws {
    try expectRoundTrip(Color.white, 1)
    try expectRoundTrip(Grape.syrah, "syrah")
    try expectRoundTrip(Tag(rawValue: "new"), "new")
    try expectRoundTrip(Color?.none, nil)
    try expectRefusal(Color.self, "2", "'1'", "NULL", "'white'", "1.5")
    try expectRefusal(Grape.self, "'cabernet'", "NULL", "0", "'\"syrah\"'")
  }
}
