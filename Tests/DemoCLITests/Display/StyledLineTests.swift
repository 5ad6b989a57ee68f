import CommandLineSupport
import Testing

@testable import DemoCLI

@Suite struct StyledLineTests {
  private var line: StyledLine {
    var line = StyledLine("new", style: .added, limit: 80)
    line.appendSpaces(2)
    line.append(DisplayText("日本"), style: .plain)
    return line
  }

  @Test func `styled pieces are switched on and off again`() {
    #expect(line.encoded(colors: true) == "\u{1B}[32mnew\u{1B}[0m  日本")
  }

  @Test func `without colours there is no escape sequence`() {
    #expect(line.encoded(colors: false) == "new  日本")
  }

  @Test func `the width counts columns, not characters`() {
    #expect(line.width == 9)
  }
}
