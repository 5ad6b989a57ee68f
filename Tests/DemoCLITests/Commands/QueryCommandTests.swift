import Testing

@testable import DemoCLI

/// `query` in a separate process.
@Suite struct QueryCommandTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, photo BLOB);
    INSERT INTO item VALUES (1, 'cup', 1.5, x'00ff'), (2, 'tea "pot", blue', NULL, NULL), (3, '', 20, x'');
    """

  private func query(_ arguments: String...) async throws -> String {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(arguments: ["query", file.path] + arguments)
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    return tool.outputText
  }

  @Test func `in a pipe, each row is an object on a line of its own`() async throws {
    #expect(
      try await query("item") == """
        {"id":1,"name":"cup","price":1.5,"photo":{"base64":"AP8="}}
        {"id":2,"name":"tea \\"pot\\", blue","price":null,"photo":null}
        {"id":3,"name":"","price":20.0,"photo":{"base64":""}}

        """
    )
  }

  @Test func `json is one array`() async throws {
    #expect(
      try await query("item", "--columns", "id,name", "--limit", "2", "--format", "json")
        == #"[\#n{"id":1,"name":"cup"},\#n{"id":2,"name":"tea \"pot\", blue"}\#n]\#n"#
    )
    #expect(try await query("item", "--where", "id > 9", "--format", "json") == "[]\n")
  }

  @Test func `csv doubles a quote that a combining mark follows`() async throws {
    #expect(
      try await query(
        "--sql",
        "SELECT char(34, 769, 44) AS a, char(13, 10) AS b",
        "--format",
        "csv"
      )
        == "a,b\r\n\"\"\"\u{301},\",\"\r\n\"\r\n"
    )
  }

  @Test func `csv has a header, quotes where they are needed, and empty fields for NULL`()
    async throws
  {
    #expect(
      try await query("item", "--format", "csv")
        == "id,name,price,photo\r\n1,cup,1.5,00ff\r\n2,\"tea \"\"pot\"\", blue\",,\r\n3,\"\",20.0,\r\n"
    )
  }

  @Test func `a table has aligned columns, with numbers at the right`() async throws {
    #expect(
      try await query("item", "--columns", "price,name", "--order", "id", "--format", "table")
        == """
        price  name
        -----  ---------------
          1.5  cup
        NULL   tea "pot", blue
         20.0\("  ")
        3 rows

        """
    )
  }

  @Test func `SQL takes arguments by position and by name`() async throws {
    #expect(
      try await query(
        "--sql",
        "SELECT id FROM item WHERE id > ? AND name <> :n",
        "--arg",
        "1",
        "--arg",
        ":n=cup"
      ) == "{\"id\":2}\n{\"id\":3}\n"
    )
  }

  @Test func `columns with the same name get numbers in objects`() async throws {
    #expect(
      try await query("--sql", "SELECT 1 AS a, 2 AS a, 3 AS a_2")
        == "{\"a\":1,\"a_3\":2,\"a_2\":3}\n"
    )
  }

  @Test func `a condition can end with a comment`() async throws {
    #expect(
      try await query("item", "--where", "id = 1 -- one", "--columns", "id") == "{\"id\":1}\n"
    )
  }

  @Test(arguments: [
    (["none"], "no such table: none (there are item)"),
    (
      ["item", "--columns", "size"],
      "item has no column size (its columns are id, name, price, photo)"
    ),
    (
      ["--sql", "DELETE FROM item"],
      "the statement writes: only a statement that reads is allowed"
    ),
  ])
  func `a query that cannot be run is an error`(arguments: [String], message: String) async throws {
    let file = try await TestFile(Self.schema)
    try await RunningTool.expectFailure(
      ["query", file.path] + arguments,
      "\(file.path): \(message)"
    )
  }
}
