import CommandLineSupport
import Glibc
import Testing

@testable import DemoCLI

@Suite struct StreamDisplayTests {
  @Test func `a problem is reported once, and again after the next value`() throws {
    let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var reported: [String] = []
    let writer = JSONValueWriter(output: Output(descriptor: descriptor))
    var display = StreamDisplay(writers: [writer]) { reported.append($0) }
    for problem in ["a", "a", "b", "a"] { try display.show(problem: problem) }
    #expect(reported == ["a", "b"])
    try display.show(WatchedValue(number: 1, result: result(["n"], [])))
    try display.show(problem: "a")
    #expect(reported == ["a", "b", "a"])
  }
}
