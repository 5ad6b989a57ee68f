@testable import Storage
import Testing

@Suite struct UTF8TextTests {
  func text(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBufferPointer(UTF8Text.string) }

  func terminatedText(_ bytes: [UInt8]) -> String? {
    (bytes + [0]).withUnsafeBufferPointer {
      UTF8Text.string(terminated: $0.baseAddress!, count: bytes.count)
    }
  }

  @Test(
    arguments: [
      "", "a", "sevenup", "eightful", "player.12345@example.com", "\0", "a\0b", "é", "seven é",
      "über die Brücke", "日本語のテキスト", "👩‍👩‍👧", "\u{FEFF}mark", "a real \u{FFFD}", "\u{FFFD}",
      "longer than fifteen bytes,\0 with a zero byte", "longer than fifteen bytes\0",
    ]
  )
  func `valid bytes are decoded`(expected: String) throws {
    let read = try #require(text(Array(expected.utf8)))
    #expect(Array(read.utf8) == Array(expected.utf8))
    let terminated = try #require(terminatedText(Array(expected.utf8)))
    #expect(Array(terminated.utf8) == Array(expected.utf8))
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
    for decode in [text, terminatedText] {
      #expect(decode(Array(around.utf8) + bytes) == nil)
      #expect(decode(bytes + Array(around.utf8)) == nil)
      #expect(decode(Array(around.utf8) + bytes + Array(around.utf8)) == nil)
    }
  }

  @Test func `strings have the same bytes whatever their storage`() {
    let long = "a text that is longer than fifteen bytes"
    for text in ["", "é", "seven é", long] {
      var copy = text + "x"
      copy.removeLast()
      #expect(copy.hasSameBytes(as: text))
      #expect(!copy.hasSameBytes(as: text + "x"))
      #expect(!(copy + "x").hasSameBytes(as: text + "y"))
    }
    #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}"))
    #expect(!"e\u{323}\u{307}".hasSameBytes(as: "e\u{307}\u{323}"))
  }
}
