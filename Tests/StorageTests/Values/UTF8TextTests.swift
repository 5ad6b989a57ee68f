@testable import Storage
import Testing

@Suite struct UTF8TextTests {
  func text(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBufferPointer(UTF8Text.string) }

  @Test(
    arguments: [
      "", "a", "sevenup", "eightful", "player.12345@example.com", "\0", "a\0b", "é", "seven é",
      "über die Brücke", "日本語のテキスト", "👩‍👩‍👧", "\u{FEFF}mark", "a real \u{FFFD}", "\u{FFFD}",
    ]
  )
  func `valid bytes are decoded`(expected: String) throws {
    let read = try #require(text(Array(expected.utf8)))
    #expect(Array(read.utf8) == Array(expected.utf8))
  }

  // When the replacement character is as long as the invalid bytes, only comparing the bytes
  // reveals it.
  @Test(
    arguments: [
      [0x80], [0xC3], [0xF0, 0x9F, 0x98], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xC0, 0x80], [0xFF],
    ] as [[UInt8]],
    ["", "seven", "eight or", "longer than a word, and than fifteen bytes"]
  )
  func `invalid bytes are refused`(bytes: [UInt8], around: String) {
    #expect(text(Array(around.utf8) + bytes) == nil)
    #expect(text(bytes + Array(around.utf8)) == nil)
    #expect(text(Array(around.utf8) + bytes + Array(around.utf8)) == nil)
  }
}
