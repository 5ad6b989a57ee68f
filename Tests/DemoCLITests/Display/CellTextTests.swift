import CommandLineSupport
import Foundation
import Storage
import Testing

@testable import DemoCLI

@Suite struct CellTextTests {
  private static let texts: [(DatabaseValue, String)] = [
    (.null, "NULL"), ((-3).databaseValue, "-3"), (2.5.databaseValue, "2.5"),
    (Double.infinity.databaseValue, "Inf"), ("a\nb".databaseValue, #"a\nb"#),
    (Data([0, 0xAB]).databaseValue, "x'00AB'"),
    (Data(repeating: 0, count: 16).databaseValue, "x'00000000000000000000000000000000'"),
    (
      Data(repeating: 1, count: 17).databaseValue,
      "x'01010101010101010101010101010101…' (17 bytes)"
    ),
  ]

  @Test(arguments: texts)
  func `each kind of value has its text`(value: DatabaseValue, text: String) {
    #expect(CellText.text(for: value, limit: 80).text == text)
  }

  @Test func `a number is whole or not there at all`() {
    #expect(CellText.text(for: 1234.databaseValue, limit: 4).text == "1234")
    #expect(CellText.text(for: 12345.databaseValue, limit: 4).text == "####")
    #expect(CellText.text(for: 0.125.databaseValue, limit: 4).text == "####")
  }

  @Test func `reals are printed with 15 digits, as SQLite prints them`() throws {
    let values: [Double] =
      [
        0.1 + 0.2, 8.559999999999999, 1, -2.5, 1e15, 1e14, 123_456_789_012_345, 1e20, 1.5e-7, 1e-5,
        0.0001, 1e300, .infinity, -.infinity, 0, 100, 1 / 3, 2e9 / 7, 1e16 + 2,
      ]
    try DatabaseQueue().read { db in
      // SQLite 3.53 prints 17 digits unless a format asks for fewer.
      let printsFifteen = Database.sqliteLibVersionNumber < 3_053_000
      for value in values {
        for sql in ["printf('%!.15g', ?)"] + (printsFifteen ? ["CAST(? AS TEXT)"] : []) {
          let text = try String.fetchOne(db, sql: "SELECT \(sql)", arguments: [value])
          #expect(RealText.text(value) == text, "\(sql)")
        }
      }
    }
  }

  @Test func `a long value is cut`() {
    let long = String(repeating: "x", count: 1_000_000).databaseValue
    #expect(CellText.text(for: long, limit: 4).text == "xxx…")
  }
}
