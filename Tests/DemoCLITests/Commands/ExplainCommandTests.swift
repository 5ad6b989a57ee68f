import Testing

/// `explain`, through a pipe.
@Suite struct ExplainCommandTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER);
    CREATE TABLE "order" (id INTEGER PRIMARY KEY, itemID INTEGER);
    """

  @Test func `without a WAL, each commit of another process wakes it`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("explain", file.path, "item")
    #expect(try await tool.exitCode() == 0)
    #expect(
      tool.outputText.contains(
        """

          each commit of another process, because the file has no WAL that says what it changes

        """
      )
    )
  }

  @Test func `it says what the query reads, and which writes wake it`() async throws {
    let file = try await TestFile("PRAGMA journal_mode = WAL; " + Self.schema)
    let tool = try RunningTool(
      "explain",
      file.path,
      "--sql",
      "SELECT name FROM item\nWHERE price < ?",
      "--arg",
      "10"
    )
    #expect(try await tool.exitCode() == 0)
    #expect(
      tool.outputText == """
        It reads
          item(name,price)

        with
          SELECT name FROM item WHERE price < ?

        planned by SQLite as
          SCAN item

        What wakes it
          an insertion into item, or a deletion from it
          an update of item (name, price)
          a commit of another process that does one of these, or that cannot be read
          a change of the schema

        What does not wake it
          an update of only item (id, stock)
          writes of other tables (order)
          a rolled back transaction

        When it wakes
          only the rows that have changed are fetched, if it takes longer than a millisecond;
          otherwise it is run again as a whole
          an equal result is not shown

        """
    )
  }

  @Test func `it says which rows wake it`() async throws {
    let file = try await TestFile(Self.schema)
    let sql = "SELECT id FROM \"order\" WHERE itemID IN (5, 6)"
    let tool = try RunningTool("explain", file.path, "--sql", sql)
    #expect(try await tool.exitCode() == 0)
    let lines = [
      "  order(id,itemid)[itemid=5,itemid=6]",
      "  an insertion into order, or a deletion from it, of rows with itemid=5 or itemid=6",
      "  an update of order (id, itemID), of rows with itemid=5 or itemid=6",
      "  other rows of order, before and after their change",
    ]
    for line in lines { #expect(tool.outputText.contains("\(line)\n"), "\(tool.outputText)") }
  }

  @Test func `it says why a query cannot be patched`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("explain", file.path, "--sql", "SELECT DISTINCT name FROM item")
    #expect(try await tool.exitCode() == 0)
    #expect(
      tool.outputText.contains(
        """
          it is run again as a whole, because it is distinct, or has groups or aggregates of a form \
        that is not patched

        """
      ),
      "\(tool.outputText)"
    )
  }

  @Test func `a table with a condition on its key depends on one row`() async throws {
    let file = try await TestFile(Self.schema + "INSERT INTO item VALUES (3, 'cup', 1, 1)")
    let tool = try RunningTool("explain", file.path, "item", "--where", "id = 3")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("  item(id,name,price,stock)[3]\n"), "\(tool.outputText)")
  }

  @Test func `SQL that does not compile is an error`() async throws {
    let file = try await TestFile(Self.schema)
    try await RunningTool.expectFailure(
      ["explain", file.path, "--sql", "SELECT nam FROM item"],
      "\(file.path): no such column: nam (did you mean name?)"
    )
  }
}
