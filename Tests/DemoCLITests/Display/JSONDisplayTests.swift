import Glibc
import Testing

@testable import DemoCLI

@Suite struct JSONDisplayTests {
  @Test func `a problem is reported once, and again after the next value`() throws {
    let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var reported: [String] = []
    var display = JSONDisplay(output: Output(descriptor: descriptor)) { reported.append($0) }
    for problem in ["a", "a", "b", "a"] { try display.show(problem: problem) }
    #expect(reported == ["a", "b"])
    try display.show(WatchedValue(number: 1, result: result(["n"], [])))
    try display.show(problem: "a")
    #expect(reported == ["a", "b", "a"])
  }
}
