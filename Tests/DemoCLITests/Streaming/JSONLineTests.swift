import Foundation
import Storage
import Testing

@testable import DemoCLI

@Suite struct JSONLineTests {
  private func encode(_ result: WatchedResult, number: UInt64 = 1) -> String {
    String(decoding: JSONLine.encode(WatchedValue(number: number, result: result)), as: UTF8.self)
  }

  /// Returns the JSON of one value.
  private func encode(_ value: (any DatabaseValueConvertible)?) -> String {
    let line = encode(result(["a"], [[value]]))
    let parts = line.split(separator: "[{\"a\":")
    return String(parts[1].dropLast("}]}\n".count))
  }

  @Test func `a value is one line with its number, its columns and its rows`() {
    let value = result(["id", "name", "id"], [[1, "cup", 1], [2, nil, 2]])
    #expect(
      encode(value, number: 12)
        == #"{"number":12,"columns":["id","name","id_2"],"rows":"#
        + #"[{"id":1,"name":"cup","id_2":1},{"id":2,"name":null,"id_2":2}]}"# + "\n"
    )
  }

  @Test func `a result without rows keeps its columns`() {
    #expect(encode(result(["id"], [])) == #"{"number":1,"columns":["id"],"rows":[]}"# + "\n")
  }

  private static let numbers: [DatabaseValue] = [
    0.databaseValue, Int64.max.databaseValue, Int64.min.databaseValue, 0.1.databaseValue,
    1e300.databaseValue, Double.leastNonzeroMagnitude.databaseValue, (-2.0).databaseValue,
    1e16.databaseValue,
  ]

  @Test(arguments: numbers)
  func `integers and reals are numbers that are parsed as the same values`(
    value: DatabaseValue
  ) throws {
    switch value.storage {
    case .int64(let integer): #expect(encode(value) == "\(integer)")
    case .double(let real):
      #expect(try JSONDecoder().decode(Double.self, from: Data(encode(value).utf8)) == real)
      #expect(encode(value).contains { ".e".contains($0) })
    default: Issue.record("\(value) is not a number")
    }
  }

  @Test func `infinite reals are numbers that overflow in any parser`() {
    #expect(encode(Double.infinity) == "1e999")
    #expect(encode(-Double.infinity) == "-1e999")
  }

  @Test func `a blob is an object with a base64 text`() {
    #expect(encode(Data([0, 255, 16])) == #"{"base64":"AP8Q"}"#)
    #expect(encode(Data()) == #"{"base64":""}"#)
  }

  @Test(arguments: [
    "", "a\"b\\c", "\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{10}\u{7F}", "日本 😀", "\u{2028}", "</script>",
  ])
  func `a text is parsed as the same text`(text: String) throws {
    let encoded = encode(text)
    #expect(!encoded.utf8.contains { $0 < 0x20 })
    #expect(try JSONDecoder().decode([String].self, from: Data("[\(encoded)]".utf8)) == [text])
  }
}
