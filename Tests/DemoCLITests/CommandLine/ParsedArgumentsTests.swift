import Testing

@testable import DemoCLI

@Suite struct ParsedArgumentsTests {
  private let syntax = ArgumentSyntax(flags: ["wait"], options: ["sql"])

  @Test(
    "Options may stand anywhere, with their value attached or in the next word",
    arguments: [
      ["file", "--sql", "SELECT 1", "--wait"],
      ["--wait", "--sql=SELECT 1", "file"],
      ["--sql", "SELECT 1", "file", "--wait"],
    ]
  )
  func anyOrder(arguments: [String]) throws {
    let parsed = try ParsedArguments(arguments, syntax: syntax)
    #expect(parsed.positionals == ["file"])
    #expect(parsed.flags == ["wait"])
    #expect(parsed.values == ["sql": "SELECT 1"])
    #expect(!parsed.asksForHelp)
  }

  @Test("The word after an option is its value, whatever it looks like")
  func valueWithDashes() throws {
    let parsed = try ParsedArguments(["--sql", "--wait"], syntax: syntax)
    #expect(parsed.values == ["sql": "--wait"])
    #expect(parsed.flags.isEmpty)
  }

  @Test("A value may be empty, and may contain an equals sign")
  func attachedValues() throws {
    #expect(try ParsedArguments(["--sql="], syntax: syntax).values == ["sql": ""])
    #expect(try ParsedArguments(["--sql=a=b"], syntax: syntax).values == ["sql": "a=b"])
  }

  @Test("After two dashes everything is positional")
  func terminator() throws {
    let parsed = try ParsedArguments(["a", "--", "--wait", "-h", "--"], syntax: syntax)
    #expect(parsed.positionals == ["a", "--wait", "-h", "--"])
    #expect(parsed.flags.isEmpty)
    #expect(!parsed.asksForHelp)
  }

  @Test("A single dash is positional")
  func singleDash() throws {
    #expect(try ParsedArguments(["-"], syntax: syntax).positionals == ["-"])
  }

  @Test("Help is asked for in two ways", arguments: ["-h", "--help"])
  func help(argument: String) throws {
    #expect(try ParsedArguments(["x", argument], syntax: syntax).asksForHelp)
  }

  @Test(
    "What is wrong is named",
    arguments: [
      (["--nope"], "unknown option --nope"),
      (["-x"], "unknown option -x"),
      (["--nope=1"], "unknown option --nope"),
      (["--sql"], "--sql needs a value"),
      (["--wait=yes"], "--wait takes no value"),
      (["--wait", "--wait"], "--wait is given twice"),
      (["--sql", "a", "--sql=b"], "--sql is given twice"),
    ]
  )
  func wrong(arguments: [String], message: String) {
    #expect(throws: UsageError(message)) {
      try ParsedArguments(arguments, syntax: syntax)
    }
  }
}
