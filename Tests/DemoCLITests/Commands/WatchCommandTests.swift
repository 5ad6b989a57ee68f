import CommandLineSupport
import Testing

@testable import DemoCLI

@Suite struct WatchCommandTests {
  private func watch(_ arguments: String...) throws -> WatchCommand {
    try WatchCommand(ParsedArguments(arguments, syntax: WatchCommand.syntax))
  }

  @Test func `watch takes a file and a table`() throws {
    let command = try watch("a.db", "item", "--wait")
    #expect(command.file.path == "a.db")
    #expect(command.queries == [.table("item")])
    #expect(command.file.waits)
  }

  @Test func `watch takes a file and SQL`() throws {
    let command = try watch("a.db", "--sql", "SELECT 1")
    #expect(command.queries == [.sql("SELECT 1")])
    #expect(!command.file.waits)
  }

  @Test func `watch takes a file alone, and SQL in the place of a table`() throws {
    #expect(try watch("a.db").queries == [.overview])
    #expect(try watch("a.db", "SELECT 1", "b").queries == [.table("b"), .sql("SELECT 1")])
  }

  @Test func `watch takes several tables and statements`() throws {
    let command = try watch("a.db", "b", "--sql", "SELECT 1", "c", "--sql", "SELECT 2")
    #expect(command.queries == [.table("b"), .table("c"), .sql("SELECT 1"), .sql("SELECT 2")])
  }

  @Test func `watch says which argument is missing or superfluous`() {
    #expect(throws: UsageError("watch needs a FILE")) { try watch() }
    #expect(throws: UsageError("watch needs a FILE")) { try watch("", "t") }
    #expect(throws: UsageError("--key needs a TABLE or --sql")) { try watch("a", "--key", "b") }
    #expect(throws: UsageError("--key needs a single query")) {
      try watch("a", "b", "c", "--key", "d")
    }
  }
}
