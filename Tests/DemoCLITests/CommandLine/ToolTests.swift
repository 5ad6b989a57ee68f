import Testing

@testable import DemoCLI

/// The tool in a separate process.
@Suite struct ToolTests {
  @Test func `without arguments, the usage is an error`() async throws {
    let tool = try RunningTool()
    #expect(try await tool.exitCode() == 2)
    #expect(tool.errorText.contains("Usage:"))
    #expect(tool.outputText.isEmpty)
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `help lists the commands`(arguments: [String]) async throws {
    let tool = try RunningTool(arguments: arguments)
    #expect(try await tool.exitCode() == 0)
    for command in Tool.commands {
      #expect(tool.outputText.contains("  \(command.name) "))
      #expect(tool.outputText.contains(command.summary))
    }
    #expect(tool.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(tool.errorText.isEmpty)
  }

  @Test(arguments: Tool.commands.map { $0.name })
  func `each command has a help with its usage and examples, which fits 80 columns`(
    command: String
  ) async throws {
    for arguments in [["help", command], [command, "--help"], [command, "x", "-h"]] {
      let tool = try RunningTool(arguments: arguments)
      #expect(try await tool.exitCode() == 0)
      #expect(tool.outputText.hasPrefix("Usage:\n  wellspring \(command) "))
      #expect(tool.outputText.contains("\nExamples:\n  "))
      #expect(tool.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 })
      #expect(tool.errorText.isEmpty)
    }
  }

  @Test func `the version names the version of SQLite`() async throws {
    let tool = try RunningTool("--version")
    #expect(try await tool.exitCode() == 0)
    let line = try Regex(#"wellspring \d+\.\d+\.\d+ \(SQLite 3\.\d+\.\d+\)\n"#)
    #expect(tool.outputText.wholeMatch(of: line) != nil)
  }
}
