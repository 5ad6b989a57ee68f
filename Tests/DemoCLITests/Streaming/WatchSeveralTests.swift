import Testing

/// `watch` of several queries through a pipe.
@Suite struct WatchSeveralTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'cup');
    CREATE TABLE sale (item INTEGER, "query" TEXT); INSERT INTO sale VALUES (1, 'online');
    """

  /// Starts a watch of two tables and a statement.
  private func watch(_ file: TestFile, _ arguments: String...) throws -> RunningTool {
    try RunningTool(
      arguments: ["watch", file.path, "item", "sale", "--sql", "SELECT\n count(*) AS n FROM item"]
        + arguments
    )
  }

  /// Returns the text with `TIME` for times and `N` for numbers of commits.
  private func withoutTimes(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
      .replacing(/"number":\d+/, with: "\"number\":N")
      .replacing(/\d+(,| +)TIME/) { match in "N\(match.1.prefix(1))TIME" }
  }

  @Test(arguments: [
    (
      "json",
      #"""
      {"query":"item","number":N,"columns":["id","name"],"rows":[{"id":1,"name":"cup"}]}
      {"query":"sale","number":N,"columns":["item","query"],"rows":[{"item":1,"query":"online"}]}
      {"query":"SELECT count(*) AS n FROM item","number":N,"columns":["n"],"rows":[{"n":1}]}

      """#
    ),
    (
      "ndjson",
      #"""
      {"query":"item","id":1,"name":"cup"}
      {"query":"sale","item":1,"query_2":"online"}
      {"query":"SELECT count(*) AS n FROM item","n":1}

      """#
    ),
    (
      "csv",
      "query,id,name\r\nitem,1,cup\r\n\r\nquery,item,query\r\nsale,1,online\r\n\r\n"
        + "query,n\r\nSELECT count(*) AS n FROM item,1\r\n"
    ),
    (
      "table",
      """
      item
      id  name
      --  ----
       1  cup
      1 row

      sale
      item  query
      ----  ------
         1  online
      1 row

      SELECT count(*) AS n FROM item
      n
      -
      1
      1 row

      """
    ),
    (
      "diff",
      #"""
      @@ N TIME item @@
      +{"id":1,"name":"cup"}
      @@ N TIME sale @@
      +{"item":1,"query":"online"}
      @@ N TIME SELECT count(*) AS n FROM item @@
      +{"n":1}

      """#
    ),
  ])
  func `each line, row or heading says to which query it belongs`(
    format: String,
    expected: String
  ) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try watch(file, "--once", "--format", format)
    #expect(try await tool.exitCode() == 0)
    #expect(withoutTimes(tool.outputText) == expected)
    #expect(tool.errorText.isEmpty)
  }

  @Test func `a commit writes the results that it changes, with one number`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try watch(file, "--count", "3")
    for _ in 1...3 { _ = try await tool.nextLine() }
    try await file.execute("INSERT INTO sale VALUES (1, 'shop')")
    #expect(try await tool.nextLine().contains(#"{"query":"sale","#))
    try await file.execute("INSERT INTO item VALUES (2, 'pot')")
    let numbers = try await [tool.nextLine(), tool.nextLine()].map { line in
      line.firstMatch(of: /^\{"query":"[^"]*","number":(\d+),/)?.1
    }
    #expect(numbers[0] != nil && numbers[0] == numbers[1])
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.split(separator: "\n").count == 6)
  }

  @Test(arguments: [
    (
      "ndjson",
      #"""
      {"query":"item","number":N,"time":"TIME","change":"removed","row":{"id":1,"name":"cup"}}
      {"query":"sale","number":N,"time":"TIME","change":"inserted","row":{"item":2,"query":"x"}}
      {"query":"SELECT count(*) AS n FROM item","number":N,"time":"TIME","change":"updated","row":{"n":8},"old":{"n":9}}

      """#
    ),
    (
      "csv",
      "query,number,time,change,id,name\r\nitem,N,TIME,removed,1,cup\r\n"
        + "query,number,time,change,item,query\r\nsale,N,TIME,inserted,2,x\r\n"
        + "query,number,time,change,n\r\nSELECT count(*) AS n FROM item,N,TIME,updated,8\r\n"
    ),
  ])
  func `changes say to which query they belong`(format: String, expected: String) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try watch(file, "--changes", "--format", format)
    try await file.probe(tool) { "INSERT INTO item VALUES (\($0), 'probe \($0)')" }
    // Eight probes at most: their number does not show in the count.
    try await file.execute(
      """
      DELETE FROM item WHERE id > 1;
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
      INSERT INTO item SELECT i, 'row' FROM n;
      """
    )
    try await tool.wait("nine rows") {
      withoutTimes($0.outputText).contains(format == "csv" ? "updated,9\r\n" : #""row":{"n":9}"#)
    }
    try await file.execute(
      "BEGIN; DELETE FROM item WHERE id = 1; INSERT INTO sale VALUES (2, 'x'); COMMIT"
    )
    try await tool.wait("the changes") { withoutTimes($0.outputText).hasSuffix(expected) }
  }
}
