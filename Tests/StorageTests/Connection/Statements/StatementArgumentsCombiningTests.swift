import Foundation
import Storage
import Testing

@Suite struct StatementArgumentsCombiningTests {
  @Test func `A-028: arguments are added, positional ones in order, named ones beside them`() throws
  {
    let left: StatementArguments = [1]
    let right: StatementArguments = ["a": 2]
    #expect(left + [3] == [1, 3])
    #expect((left + right + [4]).description == "[1, 4, a: 2]")
    var sum = left
    sum += right
    sum += [4]
    #expect(sum == left + right + [4])
    let row = try withDatabase { db in
      try Row.fetchOne(db, sql: "SELECT ?, :a, ?", arguments: sum)
    }
    #expect(row?.databaseValues == [1, 2, 4].map(\.databaseValue))
  }

  @Test func `A-028: &+ replaces named values`() {
    let left: StatementArguments = ["a": 1, "b": 2]
    #expect(left &+ ["b": 3, "c": 4] == ["a": 1, "b": 3, "c": 4])
    var replaced = left
    replaced &+= ["a": nil]
    #expect(replaced == ["a": nil, "b": 2])
    var appended = left
    #expect(appended.append(contentsOf: ["b": 5, "c": 6]) == ["b": 2.databaseValue])
    #expect(appended == ["a": 1, "b": 5, "c": 6])
  }

  @Test func `a name in both arguments of + stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = (["b": 1, "a": 1] as StatementArguments) + ["a": 2, "b": 2]
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Arguments are given twice: a, b. Use &+ to replace them."))
  }

  @Test func `A-031: untrusted values are taken when all of them convert`() throws {
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
