import Testing

/// The tool in a separate process.
@Suite struct ToolTests {
  @Test func `without arguments, the usage is an error`() async throws {
    let tool = try RunningTool()
    #expect(try await tool.exitCode() == 2)
    #expect(tool.errorText.contains("Usage:"))
    #expect(tool.outputText.isEmpty)
  }

  @Test(arguments: [
    ["help"], ["--help"], ["-h"], ["watch", "--help"], ["demo", "--seconds", "1", "-h"],
  ])
  func `help succeeds`(arguments: [String]) async throws {
    let tool = try RunningTool(arguments: arguments)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("DemoCLI watch FILE TABLE"))
    #expect(tool.errorText.isEmpty)
  }

  @Test(arguments: [
    (["look"], "unknown command look"), (["--look"], "unknown option --look"),
    (["watch"], "watch needs a FILE"), (["watch", "f"], "watch needs a TABLE or --sql"),
    (["watch", "f", "t", "--sql", "s"], "watch takes a TABLE or --sql, not both"),
    (["watch", "f", "--sql"], "--sql needs a value"),
    (["demo", "--seconds", "x"], "--seconds needs a positive number, not x"),
    (["look\u{1B}[2J\nnow"], #"unknown command look\u{1B}[2J\nnow"#),
  ])
  func `invalid arguments have exit code 2`(arguments: [String], message: String) async throws {
    try await RunningTool.expectFailure(arguments, "\(message); see DemoCLI --help", code: 2)
  }
}
