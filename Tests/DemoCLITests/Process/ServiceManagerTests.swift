import Testing

/// A service manager hears when a command has read its first value.
@Suite struct ServiceManagerTests {
  private static let commands = [
    ["watch", "@", "t"], ["watch", "@", "t", "--changes"], ["tail", "@", "t"],
    ["exec", "@", "t", "--on-change", "cat"],
  ]

  @Test(arguments: commands)
  func `each commit after READY=1 is noticed`(command: [String]) async throws {
    let file = try await TestFile("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
    let tool = try RunningTool(arguments: command.map { $0 == "@" ? file.path : $0 })
    try await tool.waitUntilReady()
    try await file.execute("INSERT INTO t VALUES (1, 'first')")
    try await tool.wait("the change") { $0.outputText.contains("first") }
  }

  @Test func `a command without a file is not ready until the file is there`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool("exec", file.path, "t", "--wait", "--on-change", "cat")
    try await tool.wait("the message") { $0.errorText.contains("waiting") }
    #expect(!tool.isReady)
    try await file.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
    try await tool.waitUntilReady()
  }
}
