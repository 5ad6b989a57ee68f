import Foundation
import Storage
import Testing

@testable import DemoCLI

@Suite struct CellTextTests {
  @Test(arguments: [
    (DatabaseValue.null, "NULL"), ((-3).databaseValue, "-3"), (2.5.databaseValue, "2.5"),
    (Double.infinity.databaseValue, "inf"), ("a\nb".databaseValue, #"a\nb"#),
    (Data([0, 0xAB]).databaseValue, "x'00AB'"),
    (Data(repeating: 0, count: 16).databaseValue, "x'00000000000000000000000000000000'"),
    (
      Data(repeating: 1, count: 17).databaseValue,
      "x'01010101010101010101010101010101…' (17 bytes)"
    ),
  ])
  func `each kind of value has its text`(value: DatabaseValue, text: String) {
    #expect(CellText.text(for: value, limit: 80).text == text)
  }

  @Test func `a long value is cut`() {
    let long = String(repeating: "x", count: 1_000_000).databaseValue
    #expect(CellText.text(for: long, limit: 4).text == "xxx…")
  }
}
