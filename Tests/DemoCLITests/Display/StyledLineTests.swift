import Testing

@testable import DemoCLI

@Suite struct StyledLineTests {
  private var line: StyledLine {
    var line = StyledLine("new", style: .added, limit: 80)
    line.appendSpaces(2)
    line.append(DisplayText("日本"), style: .plain)
    return line
  }

  @Test("Styled pieces are switched on and off again")
  func colors() {
    #expect(line.encoded(colors: true) == "\u{1B}[32mnew\u{1B}[0m  日本")
  }

  @Test("Without colours there is no escape sequence")
  func noColors() {
    #expect(line.encoded(colors: false) == "new  日本")
  }

  @Test("The width counts columns, not characters")
  func width() {
    #expect(line.width == 9)
  }
}
