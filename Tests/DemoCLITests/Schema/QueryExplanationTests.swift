import CommandLineSupport
import Storage
import Testing

@testable import DemoCLI

@Suite struct QueryExplanationTests {
  @Test func `the process waits for locks after the query has run once`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let arguments = try ParsedArguments([], syntax: WatchedQuery.syntax)
    let query = try WatchedQuery(text: "SELECT a FROM t", arguments, command: "explain")
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: file.path, configuration: configuration)
    let explanation = try QueryExplanation(query, pool: pool) { "\($0)" }
    #expect(explanation.tables.map(\.name) == ["t"])
    #expect(LockWaiting.shared.wait(for: file.path, tries: 0))
  }
}
