import Foundation
import Testing

/// `watch` with `--format`, `--changes`, `--once` and `--count`, through a pipe.
@Suite struct WatchFormatTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO item VALUES (1, 'cup'), (2, 'pot');
    """

  /// A commit that inserts, updates and removes a row.
  private static let commit = """
    BEGIN; INSERT INTO item VALUES (3, 'jug'); UPDATE item SET name = 'tea, pot' WHERE id = 2;
    DELETE FROM item WHERE id = 1; COMMIT
    """

  /// Returns the text with `TIME` for times and `N` for numbers of commits.
  private func withoutTimes(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
      .replacing(/"number":\d+/, with: "\"number\":N")
      .replacing(/@@ \d+/, with: "@@ N")
      .replacing(/(?m)^ *\d+(,| +)TIME/) { match in "N\(match.1.prefix(1))TIME" }
  }

  @Test(arguments: [
    ("json", #"{"number":0,"columns":["id","name"],"rows":[{"id":1,"name":"cup"}"#),
    ("ndjson", "{\"id\":1,\"name\":\"cup\"}\n{\"id\":2,\"name\":\"pot\"}\n"),
    ("csv", "id,name\r\n1,cup\r\n2,pot\r\n"),
    ("table", "id  name\n--  ----\n 1  cup\n 2  pot\n2 rows\n"),
  ])
  func `with --once the first value ends the watch`(format: String, start: String) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, "item", "--once", "--format", format)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.hasPrefix(start), "\(tool.outputText)")
    #expect(tool.errorText.isEmpty)
  }

  @Test func `a difference starts with all rows`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, "item", "--once", "--format", "diff")
    #expect(try await tool.exitCode() == 0)
    #expect(
      withoutTimes(tool.outputText)
        == "@@ N TIME @@\n+{\"id\":1,\"name\":\"cup\"}\n+{\"id\":2,\"name\":\"pot\"}\n"
    )
  }

  @Test func `on a terminal, --once prints a table and leaves the terminal alone`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["watch", file.path, "item", "--once"],
      output: .terminal(columns: 80, rows: 24)
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "id  name\r\n--  ----\r\n 1  cup\r\n 2  pot\r\n2 rows\r\n")
  }

  @Test func `with --count the watch ends after that many values`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      "watch",
      file.path,
      "item",
      "--count",
      "2",
      "--format",
      "csv",
      "--columns",
      "name"
    )
    _ = try await tool.nextLine(with: "pot")
    try await file.execute("DELETE FROM item WHERE id = 1")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "name\r\ncup\r\npot\r\n\r\nname\r\npot\r\n")
  }

  @Test(arguments: [
    (
      "ndjson",
      #"""
      {"number":N,"time":"TIME","change":"removed","row":{"id":1,"name":"cup"}}
      {"number":N,"time":"TIME","change":"updated","row":{"id":2,"name":"tea, pot"},"old":{"name":"pot"}}
      {"number":N,"time":"TIME","change":"inserted","row":{"id":3,"name":"jug"}}

      """#
    ),
    (
      "json",
      #"""
      {"number":N,"time":"TIME","changes":[{"change":"removed","row":{"id":1,"name":"cup"}},{"change":"updated","row":{"id":2,"name":"tea, pot"},"old":{"name":"pot"}},{"change":"inserted","row":{"id":3,"name":"jug"}}]}

      """#
    ),
    (
      "csv",
      "N,TIME,removed,1,cup\r\nN,TIME,updated,2,\"tea, pot\"\r\n"
        + "N,TIME,inserted,3,jug\r\n"
    ),
    (
      "diff",
      #"""
      @@ N TIME @@
      -{"id":1,"name":"cup"}
      -{"id":2,"name":"pot"}
      +{"id":2,"name":"tea, pot"}
      +{"id":3,"name":"jug"}

      """#
    ),
  ])
  func `changes are the rows that one commit inserts, updates and removes`(
    format: String,
    expected: String
  ) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, "item", "--changes", "--format", format)
    try await file.probe(tool) { "INSERT INTO item VALUES (\($0), 'probe \($0)')" }
    try await file.execute(Self.commit)
    try await tool.wait("the changes") { withoutTimes($0.outputText).hasSuffix(expected) }
    if format == "csv" {
      #expect(tool.outputText.hasPrefix("number,time,change,id,name\r\n"))
    }
    #expect(tool.errorText.isEmpty)
  }

  @Test func `on a terminal, changes are lines of one table`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["watch", file.path, "item", "--changes"],
      output: .terminal(columns: 80, rows: 24)
    )
    try await file.probe(tool) { "INSERT INTO item VALUES (\($0), 'probe \($0)')" }
    try await file.execute(Self.commit)
    try await tool.wait("the changes") { $0.outputText.contains("jug") }
    let lines = tool.outputText.split(whereSeparator: \.isNewline).suffix(3).map {
      $0.replacing(/^\ *\d+ +[-0-9T:]+Z +/, with: "").replacing(/\ +/, with: " ")
    }
    #expect(lines == ["removed 1 cup", "updated 2 tea, pot", "inserted 3 jug"])
  }

  @Test func `with --count the watch ends after that many values with changes`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, "item", "--changes", "--count", "1")
    try await file.probe(tool) { "INSERT INTO item VALUES (\($0), 'probe \($0)')" }
    #expect(try await tool.exitCode() == 0)
    let lines = tool.outputText.split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.contains("inserted") })
  }

  @Test func `a commit of one row in a table of 20000 rows costs one line`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO item SELECT i, 'thing ' || i FROM n;
      """
    )
    let tool = try RunningTool("watch", file.path, "item", "--changes")
    try await file.probe(tool) { "INSERT INTO item VALUES (1000000 + \($0), 'probe \($0)')" }
    let before = tool.outputBytes.count
    try await file.execute("UPDATE item SET name = 'other' WHERE id = 5000")
    try await tool.wait("the line") { $0.outputBytes.count > before && $0.outputBytes.last == 10 }
    #expect(
      withoutTimes(String(decoding: tool.outputBytes[before...], as: UTF8.self)) == #"""
        {"number":N,"time":"TIME","change":"updated","row":{"id":5000,"name":"other"},"old":{"name":"thing 5000"}}

        """#
    )
  }
}
