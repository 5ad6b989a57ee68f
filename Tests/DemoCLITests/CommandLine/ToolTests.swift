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
    #expect(tool.errorText.isEmpty)
  }

  @Test(arguments: Tool.commands.map { $0.name })
  func `each command has a help with its usage, which fits 100 columns`(
    command: String
  ) async throws {
    for arguments in [["help", command], [command, "--help"], [command, "x", "-h"]] {
      let tool = try RunningTool(arguments: arguments)
      #expect(try await tool.exitCode() == 0)
      #expect(tool.outputText.hasPrefix("Usage:\n  wellspring \(command) "))
      #expect(tool.outputText.split(separator: "\n").allSatisfy { $0.count <= 100 })
      #expect(tool.errorText.isEmpty)
    }
  }

  @Test func `the version names the version of SQLite`() async throws {
    let tool = try RunningTool("--version")
    #expect(try await tool.exitCode() == 0)
    let line = try Regex(#"wellspring \d+\.\d+\.\d+ \(SQLite 3\.\d+\.\d+\)\n"#)
    #expect(tool.outputText.wholeMatch(of: line) != nil)
  }

  @Test(arguments: [
    (["look"], "unknown command look; see wellspring --help"),
    (["--look"], "unknown option --look; see wellspring --help"),
    (["help", "look"], "unknown command look; see wellspring --help"),
    (["watch"], "watch needs a FILE; see wellspring help watch"),
    (["watch", "f"], "watch needs a TABLE or --sql; see wellspring help watch"),
    (
      ["query", "f", "t", "--sql", "s"],
      "query takes a TABLE or --sql, not both; see wellspring help query"
    ),
    (["watch", "f", "--sql"], "--sql needs a value; see wellspring help watch"),
    (["watch", "f", "t", "--arg", "1"], "--arg needs --sql; see wellspring help watch"),
    (["watch", "f", "t", "--key", "a"], "--key needs --sql; see wellspring help watch"),
    (
      ["watch", "f", "--sql", "s", "--where", "a"],
      "--where needs a TABLE; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--limit", "few"],
      "--limit needs a number of rows, not few; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--columns", "a,,b"],
      "--columns needs names, not a,,b; see wellspring help watch"
    ),
    (
      ["watch", "f", "--sql", "s", "--arg", ":a=1", "--arg", ":a=2"],
      "--arg gives :a two values; see wellspring help watch"
    ),
    (["query"], "query needs a FILE; see wellspring help query"),
    (["query", "f", "t", "u"], "query takes one FILE and one TABLE; see wellspring help query"),
    (
      ["query", "f", "t", "--format", "xml"],
      "--format needs one of table, json, ndjson, csv, not xml; see wellspring help query"
    ),
    (["query", "f", "t", "--wait"], "unknown option --wait; see wellspring help query"),
    (["schema"], "schema needs a FILE; see wellspring help schema"),
    (["dump"], "dump needs a FILE; see wellspring help dump"),
    (
      ["demo", "--seconds", "x"],
      "--seconds needs a positive number, not x; see wellspring help demo"
    ),
    (["look\u{1B}[2J\nnow"], #"unknown command look\u{1B}[2J\nnow; see wellspring --help"#),
  ])
  func `invalid arguments have exit code 2`(arguments: [String], message: String) async throws {
    try await RunningTool.expectFailure(arguments, message, code: 2)
  }
}
