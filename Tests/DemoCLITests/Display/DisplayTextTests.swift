import CommandLineSupport
import Testing

@testable import DemoCLI

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ｗ", 2), ("ｱ", 1), ("😀", 2), ("🇩🇪", 2), ("👍🏽", 2),
    ("👨‍👩‍👧", 2), ("❤️", 2), ("1️⃣", 2), ("★", 1), ("…", 1), ("क्षि", 3),
  ])
  func `the width of a text is its width on a terminal`(text: String, width: Int) {
    #expect(DisplayText(text) == DisplayText(text, limit: width))
    #expect(DisplayText(text).width == width)
    #expect(DisplayText(text).text == text)
  }

  @Test(arguments: [
    ("a\nb\r\n\tc", #"a\nb\r\n\tc"#), ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{0}", #"\u{0}"#),
    ("\u{7F}", #"\u{7F}"#), ("\u{9B}2J", #"\u{9B}2J"#), ("\u{202E}abc", #"\u{202E}abc"#),
    ("a\u{2028}b", #"a\u{2028}b"#), ("\u{FEFF}x", #"\u{FEFF}x"#), ("\u{AD}", #"\u{AD}"#),
    ("a\u{8}\u{301}b", "a\\u{8}\u{301}b"),
  ])
  func `characters that control a terminal are escaped`(raw: String, text: String) {
    let escaped = DisplayText(raw)
    #expect(escaped.text == text)
    #expect(escaped.width == text.count)
    let controls = escaped.text.unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(controls.isEmpty)
  }

  @Test(arguments: [
    ("abc", 3, "abc", 3), ("abcd", 3, "ab…", 3), ("abcd", 1, "…", 1), ("abcd", 0, "", 0),
    ("a", 1, "a", 1), ("", 1, "", 0), ("日本語", 6, "日本語", 6), ("日本語", 5, "日本…", 5),
    ("日本語", 4, "日…", 3), ("日本語", 1, "…", 1), ("e\u{301}e\u{301}e", 2, "e\u{301}…", 2),
  ])
  func `a text is cut at its limit, and ends with an ellipsis`(
    raw: String,
    limit: Int,
    text: String,
    width: Int
  ) {
    let cut = DisplayText(raw, limit: limit)
    #expect(cut.text == text)
    #expect(cut.width == width)
  }

  @Test func `a pile of combining marks is cut`() {
    let pile = "a" + String(repeating: "\u{301}", count: 10_000)
    let text = DisplayText(pile + "b")
    #expect(text.width == 2)
    #expect(text.text.unicodeScalars.count < 20)
    #expect(text.text.hasSuffix("b"))
  }
}
