import Foundation
import Storage
import Testing

@Suite struct StatementArgumentsUntrustedTests {
  @Test func `A-031: untrusted values are accepted if all of them can be converted`() throws {
    let good: [Any] = [1, "a", 2.5, Data([1]), true, Int?.none as Any, NSNull()]
    #expect(StatementArguments(good)?.description == "[1, 'a', 2.5, x'01', 1, NULL, NULL]")
    #expect(StatementArguments([1, Mirror(reflecting: 1)] as [Any]) == nil)
    let named: [AnyHashable: Any] = ["a": 1, "b": "x"]
    #expect(StatementArguments(named) == ["a": 1, "b": "x"])
    #expect(StatementArguments([1: "x"] as [AnyHashable: Any]) == nil)
    #expect(StatementArguments(["a": [1]] as [AnyHashable: Any]) == nil)
  }

  @Test func `A-031: parsed JSON becomes arguments`() throws {
    let json =
      #"{"id": 12, "big": 9007199254740993, "price": 1.5, "new": true, "name": "cup", "end": null}"#
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let dictionary = try #require(object as? [String: Any])
    let arguments = try #require(StatementArguments(dictionary as [AnyHashable: Any]))
    #expect(
      arguments == [
        "id": 12, "big": 9_007_199_254_740_993, "price": 1.5, "new": true, "name": "cup",
        "end": nil,
      ]
    )
  }
}
