import CommandLineSupport
import Testing

@testable import DemoCLI

@Suite struct ParsedArgumentsTests {
  private let syntax = ArgumentSyntax(flags: ["wait"], options: ["sql"])

  @Test(arguments: [
    ["file", "--sql", "SELECT 1", "--wait"],
    ["--wait", "--sql=SELECT 1", "file"],
    ["--sql", "SELECT 1", "file", "--wait"],
  ])
  func `options may stand anywhere, with their value attached or in the next word`(
    arguments: [String]
  ) throws {
    let parsed = try ParsedArguments(arguments, syntax: syntax)
    #expect(parsed.positionals == ["file"])
    #expect(parsed.flags == ["wait"])
    #expect(parsed.values == ["sql": "SELECT 1"])
    #expect(!parsed.asksForHelp)
  }

  @Test func `the word after an option is its value, even if it starts with dashes`() throws {
    let parsed = try ParsedArguments(["--sql", "--wait"], syntax: syntax)
    #expect(parsed.values == ["sql": "--wait"])
    #expect(parsed.flags.isEmpty)
  }

  @Test func `a value may be empty, and may contain an equals sign`() throws {
    #expect(try ParsedArguments(["--sql="], syntax: syntax).values == ["sql": ""])
    #expect(try ParsedArguments(["--sql=a=b"], syntax: syntax).values == ["sql": "a=b"])
  }

  @Test func `after two dashes, all arguments are positional`() throws {
    let parsed = try ParsedArguments(["a", "--", "--wait", "-h", "--"], syntax: syntax)
    #expect(parsed.positionals == ["a", "--wait", "-h", "--"])
    #expect(parsed.flags.isEmpty)
    #expect(!parsed.asksForHelp)
  }

  @Test func `a single dash is positional`() throws {
    #expect(try ParsedArguments(["-"], syntax: syntax).positionals == ["-"])
  }

  @Test(arguments: ["-h", "--help"])
  func `two options request help`(argument: String) throws {
    #expect(try ParsedArguments(["x", argument], syntax: syntax).asksForHelp)
  }

  @Test(arguments: [
    (["--nope"], "unknown option --nope"),
    (["-x"], "unknown option -x"),
    (["--nope=1"], "unknown option --nope"),
    (["--sql"], "--sql needs a value"),
    (["--wait=yes"], "--wait takes no value"),
    (["--wait", "--wait"], "--wait is given twice"),
    (["--sql", "a", "--sql=b"], "--sql is given twice"),
  ])
  func `the error names the invalid argument`(arguments: [String], message: String) {
    #expect(throws: UsageError(message)) {
      try ParsedArguments(arguments, syntax: syntax)
    }
  }
}
