import Testing

@testable import DemoCLI

@Suite struct KeyTests {
  @Test(arguments: [
    ("a", [Key.character("a")]), ("é?", [.character("é"), .character("?")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA", [.up]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
    ("\u{1B}[1;5A", [.up]), ("\u{1B}", [.escape]), ("\u{1B}a", [.escape, .character("a")]),
    ("\t\r\n\u{7F}\u{8}\u{1B}[Z", [.tab, .enter, .enter, .backspace, .backspace, .backTab]),
    ("\u{1B}[24~x", [.character("x")]), ("\u{1}", []),
  ])
  func `the codes of a terminal are read as keys`(codes: String, keys: [Key]) {
    #expect(Key.keys(of: Array(codes.utf8)) == keys)
  }
}
