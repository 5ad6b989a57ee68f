import Foundation
import Testing
import TestSupport

@testable import Storage

@Suite struct KeysetPositionTests {
  static let positions: [KeysetPosition] = [
    KeysetPosition(order: 0, values: []),
    KeysetPosition(order: .max, values: [.null, "".databaseValue, Data().databaseValue]),
    KeysetPosition(
      order: 1,
      values: [Int64.min.databaseValue, Int64.max.databaseValue, "O'Brien 🍵".databaseValue]
    ),
    KeysetPosition(order: 2, values: [Double.ulpOfOne, .infinity, 2.5].map(\.databaseValue)),
    KeysetPosition(order: 3, values: [Data(0...255).databaseValue, "a\0b".databaseValue]),
  ]

  @Test(arguments: positions)
  func `the text of a position can be read again, and needs no escape in a URL`(
    position: KeysetPosition
  ) throws {
    let text = position.description
    #expect(KeysetPosition(text) == position)
    #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    let encoded = try JSONEncoder().encode([position])
    #expect(encoded == Data(#"["\#(text)"]"#.utf8))
    #expect(try JSONDecoder().decode([KeysetPosition].self, from: encoded) == [position])
  }

  @Test(arguments: ["", "?", "a", "AQ", "page 2", "💧", "AQAAAAEC", "AQAAAAED_____w", "AgAAAAA"])
  func `a text that is no position is refused`(text: String) {
    #expect(KeysetPosition(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([KeysetPosition].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test func `any shortened or changed text is refused or a position, and never a crash`() {
    var generator = SeededGenerator(seed: 3)
    for position in Self.positions {
      let text = Array(position.description)
      for length in 0..<text.count {
        _ = KeysetPosition(String(text[..<length]))
        var changed = text
        changed[length] = "Az09-_".randomElement(using: &generator) ?? "A"
        _ = KeysetPosition(String(changed))
      }
    }
  }

  @Test func `a page can be encoded`() throws {
    let page = KeysetPage(rows: [1, 2], next: Self.positions[2], totalCount: 7)
    let decoded = try JSONDecoder().decode(KeysetPage<Int>.self, from: JSONEncoder().encode(page))
    #expect(decoded == page)
    #expect(decoded.hasNext && !KeysetPage<Int>().hasNext)
  }
}
