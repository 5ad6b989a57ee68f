import Foundation
import Testing
import TestSupport

@testable import Storage

@Suite struct PagePositionTests {
  static let positions: [PagePosition] = [
    PagePosition(order: 0, values: []),
    PagePosition(order: .max, values: [.null, "".databaseValue, Data().databaseValue]),
    PagePosition(
      order: 1,
      values: [Int64.min.databaseValue, Int64.max.databaseValue, "O'Brien 🍵".databaseValue]
    ),
    PagePosition(order: 2, values: [Double.ulpOfOne, .infinity, 2.5].map(\.databaseValue)),
    PagePosition(order: 3, values: [Data(0...255).databaseValue, "a\0b".databaseValue]),
  ]

  @Test(arguments: positions)
  func `the text of a position can be read again, and needs no escape in a URL`(
    position: PagePosition
  ) throws {
    let text = position.description
    #expect(PagePosition(text) == position)
    #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    let encoded = try JSONEncoder().encode([position])
    #expect(encoded == Data(#"["\#(text)"]"#.utf8))
    #expect(try JSONDecoder().decode([PagePosition].self, from: encoded) == [position])
  }

  @Test(arguments: ["", "?", "a", "AQ", "page 2", "💧", "AQAAAAEC", "AQAAAAED_____w", "AgAAAAA"])
  func `a text that is no position is refused`(text: String) {
    #expect(PagePosition(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([PagePosition].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test func `any shortened or changed text is refused or a position, and never a crash`() {
    var generator = SeededGenerator(seed: 3)
    for position in Self.positions {
      let text = Array(position.description)
      for length in 0..<text.count {
        _ = PagePosition(String(text[..<length]))
        var changed = text
        changed[length] = "Az09-_".randomElement(using: &generator) ?? "A"
        _ = PagePosition(String(changed))
      }
    }
  }

  @Test func `a page can be encoded`() throws {
    let page = Page(rows: [1, 2], next: Self.positions[2], totalCount: 7)
    let decoded = try JSONDecoder().decode(Page<Int>.self, from: JSONEncoder().encode(page))
    #expect(decoded == page)
    #expect(decoded.hasNext && !Page<Int>().hasNext)
  }
}
