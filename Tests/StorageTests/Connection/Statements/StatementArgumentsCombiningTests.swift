import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct StatementArgumentsCombiningTests {
  @Test func `A-028: adding arguments appends positional values and merges named values`() throws {
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

  @Test func `a name on both sides of + stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = (["b": 1, "a": 1] as StatementArguments) + ["a": 2, "b": 2]
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Arguments are given twice: a, b. Use &+ to replace them."))
  }
}
