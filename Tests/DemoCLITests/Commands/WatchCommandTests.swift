import Testing

@testable import DemoCLI

@Suite struct WatchCommandTests {
  private func watch(_ arguments: String...) throws -> WatchCommand {
    try WatchCommand(ParsedArguments(arguments, syntax: WatchCommand.syntax))
  }

  @Test func `watch takes a file and a table`() throws {
    let command = try watch("a.db", "item", "--wait")
    #expect(command.file.path == "a.db")
    #expect(command.query == .table("item"))
    #expect(command.waitsForFile)
  }

  @Test func `watch takes a file and SQL`() throws {
    let command = try watch("a.db", "--sql", "SELECT 1")
    #expect(command.query == .sql("SELECT 1"))
    #expect(!command.waitsForFile)
  }

  @Test func `watch says which argument is missing or superfluous`() {
    #expect(throws: UsageError("watch needs a FILE")) { try watch() }
    #expect(throws: UsageError("watch needs a FILE")) { try watch("", "t") }
    #expect(throws: UsageError("watch needs a TABLE or --sql")) { try watch("a.db") }
    #expect(throws: UsageError("watch takes a TABLE or --sql, not both")) {
      try watch("a.db", "t", "--sql", "SELECT 1")
    }
    #expect(throws: UsageError("watch takes one FILE and one TABLE")) { try watch("a", "b", "c") }
  }
}
