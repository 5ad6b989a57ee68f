import Foundation
import Storage
import Testing

@Suite struct URLConversionTests {
  @Test func `VAL-12: a URL is stored as text`() throws {
    try expectRoundTrip(URL(string: "https://a.b/c?d=e#f")!, "https://a.b/c?d=e#f")
    try expectRefusal(URL.self, "NULL", "1", "''")
  }
}
