import Testing

@testable import DemoCLI

@Suite struct SubcommandTests {
  private func watch(_ arguments: String...) throws -> WatchCommand {
    try WatchCommand(ParsedArguments(arguments, syntax: WatchCommand.syntax))
  }

  private func demo(_ arguments: String...) throws -> DemoCommand {
    try DemoCommand(ParsedArguments(arguments, syntax: DemoCommand.syntax))
  }

  @Test("watch takes a file and a table")
  func table() throws {
    let command = try watch("a.db", "item", "--wait")
    #expect(command.file.path == "a.db")
    #expect(command.query == .table("item"))
    #expect(command.waitsForFile)
  }

  @Test("watch takes a file and SQL")
  func sql() throws {
    let command = try watch("a.db", "--sql", "SELECT 1")
    #expect(command.query == .sql("SELECT 1"))
    #expect(!command.waitsForFile)
  }

  @Test("watch says which argument is missing or too much")
  func watchMisuse() {
    #expect(throws: UsageError("watch needs a FILE")) { try watch() }
    #expect(throws: UsageError("watch needs a FILE")) { try watch("", "t") }
    #expect(throws: UsageError("watch needs a TABLE or --sql")) { try watch("a.db") }
    #expect(throws: UsageError("watch takes a TABLE or --sql, not both")) {
      try watch("a.db", "t", "--sql", "SELECT 1")
    }
    #expect(throws: UsageError("watch takes one FILE and one TABLE")) { try watch("a", "b", "c") }
  }

  @Test("demo takes a positive number of seconds, or none")
  func seconds() throws {
    #expect(try demo().duration == nil)
    #expect(try demo("--seconds", "1.5").duration == 1.5)
  }

  @Test(
    "demo refuses what is no positive number of seconds",
    arguments: ["0", "-1", "soon", "nan", "inf", "1e99", ""]
  )
  func noSeconds(text: String) {
    #expect(throws: UsageError("--seconds needs a positive number, not \(text)")) {
      try demo("--seconds", text)
    }
  }
}
