import Glibc
import Storage
import Testing

@testable import DemoCLI

/// `watch` of a table with more rows than are fetched as a whole, on a pseudo-terminal.
@Suite struct WatchLargeTableTests {
  private static let schema = schema(rows: 100_000)

  private static func schema(rows: Int) -> String {
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
    INSERT INTO item SELECT i, 'thing ' || i FROM n;
    """
  }

  private func watch(_ file: TestFile, _ arguments: String...) async throws -> RunningTool {
    let tool = try RunningTool(
      arguments: ["watch", file.path] + arguments,
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first?.contains("thing 1") == true }
    return tool
  }

  /// Watches a file whose log names the changed rows of the next commits.
  private func watchWithLog(rows: Int = 100_000) async throws -> (
    TestFile, DatabasePool, RunningTool
  ) {
    let file = try await TestFile(Self.schema(rows: rows))
    // While a process has the file open, its log is kept. The first commit to an empty log is not
    // read.
    let pool = try DatabasePool(path: file.path)
    try await file.execute("UPDATE item SET name = 'other' WHERE id = \(rows * 9 / 10)")
    return (file, pool, try await watch(file, "item"))
  }

  /// Waits until all rows are remembered: a search follows the pass that reads them.
  private func waitForMemory(of tool: RunningTool) async throws {
    let former = tool.outputText.utf8.count
    try tool.type("n")
    try await tool.wait("the search") { tool in
      String(tool.outputText.utf8.dropFirst(former))?.contains("searching") == true
        && !tool.lastFrame[0].contains("searching")
    }
  }

  private func waitForMarks(above: Int, below: Int, on tool: RunningTool) async throws {
    try await tool.wait("the counts") {
      $0.lastRows.first?.hasSuffix("(\(above) marked)") == true
        && $0.lastRows.last?.hasSuffix("(\(below) marked)") == true
    }
  }

  @Test func `the window is fetched, and both ends are reachable`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    #expect(tool.lastFrame[0].contains("100000 rows"))
    #expect(tool.lastFrame.count == 9)
    #expect(tool.lastRows.last == "… 99994 more rows")
    try tool.type("G")
    try await tool.wait("the end") { $0.lastRows.last == "100000  thing 100000" }
    #expect(tool.lastRows.first == "… 99994 more rows above")
    try tool.type("k")
    try await tool.wait("a row up") { $0.lastRows.last == "… 2 more rows" }
    try tool.type("g")
    try await tool.wait("the top") { $0.lastRows.first == "1  thing 1" }
  }

  @Test func `changes in the window are marked`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try await file.execute("UPDATE item SET name = 'other' WHERE id IN (2, 50000)")
    try await tool.wait("the change") { $0.lastRows[1] == "~  2  other" }
    #expect(tool.lastRows[0] == "1  thing 1")
    try await file.execute(
      "BEGIN; DELETE FROM item WHERE id = 3; INSERT INTO item VALUES (0, 'first'); COMMIT"
    )
    try await tool.wait("the next change") { $0.lastRows[0] == "+  0  first" }
    // The row that has left the window at its end is not marked as removed.
    #expect(!tool.lastRows.contains { $0.hasPrefix("-  6") || $0.hasPrefix("-  7") })
  }

  @Test func `n searches the whole table for a change`() async throws {
    let file = try await TestFile(Self.schema(rows: 20_000))
    let tool = try await watch(file, "item")
    try await waitForMemory(of: tool)
    // In one commit: the marks show the changes of the last commit.
    try await file.execute(
      """
      BEGIN; UPDATE item SET name = 'changed' WHERE id IN (1, 15000);
      INSERT INTO item (name) VALUES ('new'); COMMIT
      """
    )
    try await tool.wait("the change") { $0.lastRows[0] == "~  1  changed" }
    try tool.type("n")
    try await tool.wait("the next change") { $0.lastRows[1] == "~ 15000  changed" }
    #expect(tool.lastRows[0] == "… 14999 more rows above (1 marked)")
    try tool.type("n")
    try await tool.wait("the new row") { $0.lastRows.last == "+ 20001  new" }
    try tool.type("n")
    try await tool.wait("the first change") { $0.lastRows[0].hasSuffix("1  changed") }
  }

  @Test func `updates above and below the window are counted, and marked where they are`()
    async throws
  {
    let (file, pool, tool) = try await watchWithLog(rows: 20_000)
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1] == "6  thing 6" }
    try await file.execute("UPDATE item SET name = 'changed' WHERE id IN (2, 4, 15000)")
    try await waitForMarks(above: 2, below: 1, on: tool)
    try tool.type("g")
    try await tool.wait("the marks") {
      $0.lastRows[1] == "~  2  changed" && $0.lastRows[3] == "~  4  changed"
    }
    // The changed rows of a commit that also changes the schema are not known. Changes of other
    // tables are not changes of these rows. The marks stay, or a comparison has found the row.
    func expectMarks() {
      let rows = [1, 3].map { tool.lastRows[$0] }
      #expect(
        rows == ["~  2  changed", "~  4  changed"] || rows == ["2  changed", "4  changed"],
        "\(tool.lastFrame)"
      )
      #expect(tool.lastRows.last?.hasSuffix("(1 marked)") == true)
    }
    try await file.execute(
      "BEGIN; CREATE TABLE other (a); DELETE FROM item WHERE id = 17000; COMMIT"
    )
    try await tool.wait("the count") { $0.lastFrame[0].contains("19999 rows") }
    expectMarks()
    try await file.execute("INSERT INTO other VALUES (1)")
    expectMarks()
    try pool.close()
  }

  /// Tables, views and SQL whose changes no log reports. They have the rows of the table `item`.
  private static let unlogged = ["item", "pair", "named", "SELECT id, name FROM item"]

  @Test(arguments: unlogged)
  func `without a log, changes outside the window are counted all the same`(query: String)
    async throws
  {
    let file = try await TestFile(
      """
      \(Self.schema(rows: 5_000))
      CREATE VIEW named AS SELECT id, name FROM item;
      CREATE TABLE pair (id PRIMARY KEY, name) WITHOUT ROWID;
      INSERT INTO pair SELECT * FROM item;
      """
    )
    let table = query == "pair" ? "pair" : "item"
    let tool = try await watch(file, query)
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1].hasSuffix("6  thing 6") }
    try await waitForMemory(of: tool)
    try await file.execute(
      """
      BEGIN; UPDATE \(table) SET name = 'changed' WHERE id IN (2, 7, 4500);
      DELETE FROM \(table) WHERE id IN (4, 2500, 2501);
      INSERT INTO \(table) VALUES (5001, 'new'); COMMIT
      """
    )
    try await waitForMarks(above: 2, below: 4, on: tool)
    #expect(tool.lastRows.contains { $0.hasPrefix("~") && $0.hasSuffix("7  changed") })
    try tool.type("g")
    try await tool.wait("the mark") {
      $0.lastRows[1].hasPrefix("~") && $0.lastRows[1].hasSuffix("2  changed")
    }
    try tool.type("G")
    try await tool.wait("the new row") {
      $0.lastRows.last?.hasPrefix("+") == true && $0.lastRows.last?.hasSuffix("new") == true
    }
    // The deleted rows, and three updates.
    #expect(tool.lastRows.first?.hasSuffix("(6 marked)") == true)
  }

  @Test
  func `changes that are too many for the log are counted, without those it has named before`()
    async throws
  {
    let (file, pool, tool) = try await watchWithLog(rows: 30_000)
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1] == "6  thing 6" }
    try await waitForMemory(of: tool)
    try await file.execute("UPDATE item SET name = 'named' WHERE id IN (2, 4, 20000, 20001)")
    try await waitForMarks(above: 2, below: 2, on: tool)
    try await file.execute("DELETE FROM item WHERE id IN (1, 25000)")
    try await waitForMarks(above: 1, below: 1, on: tool)
    try await file.execute(
      """
      BEGIN; UPDATE item SET name = 'changed' WHERE id = 2 OR id BETWEEN 20001 AND 22000;
      DELETE FROM item WHERE id IN (3, 30000); COMMIT
      """
    )
    try await waitForMarks(above: 2, below: 2_001, on: tool)
    try pool.close()
  }

  @Test func `a table that is opened again has no marks of what has changed meanwhile`()
    async throws
  {
    let file = try await TestFile(Self.schema(rows: 5_000))
    let tool = try RunningTool("watch", file.path, output: .terminal(columns: 50, rows: 9))
    try await tool.wait("the tables") { $0.lastRows.first == ">item  table  5000" }
    try tool.type("\r")
    try await tool.wait("the rows") { $0.lastRows.first == "1  thing 1" }
    try await waitForMemory(of: tool)
    try tool.type("\u{1B}")
    try await tool.wait("the tables again") { $0.lastRows.first == ">item  table  5000" }
    try await file.execute("UPDATE item SET name = 'closed' WHERE id IN (3000, 3001)")
    try tool.type("\r")
    try await tool.wait("the rows again") { $0.lastRows.first == "1  thing 1" }
    try await waitForMemory(of: tool)
    try await file.execute("UPDATE item SET name = 'open' WHERE id = 4000")
    try await tool.wait("the mark") { $0.lastRows.last?.hasSuffix("(1 marked)") == true }
    #expect(!tool.outputText.contains("(2 marked)"))
  }

  @Test func `deletions are counted in a sorted table and in a filtered one`() async throws {
    let (file, pool, tool) = try await watchWithLog(rows: 6_000)
    try tool.type("sr")
    try await tool.wait("the order") { $0.lastRows[0] == "6000  thing 6000" }
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1] == "5995  thing 5995" }
    try await waitForMemory(of: tool)
    try await file.execute("DELETE FROM item WHERE id IN (5999, 5, 6)")
    try await waitForMarks(above: 1, below: 2, on: tool)
    try tool.type("/1\r")
    try await tool.wait("the filter") { $0.lastFrame[0].contains("with '1'") }
    try await tool.wait("the first row") { $0.lastRows[0] == "5991  thing 5991" }
    try await waitForMemory(of: tool)
    try await file.execute("DELETE FROM item WHERE id IN (10, 11, 20, 21)")
    try await tool.wait("the marks") { $0.lastRows.last?.hasSuffix("(3 marked)") == true }
    try pool.close()
  }

  @Test func `rows that are deleted outside the window are counted`() async throws {
    let (file, pool, tool) = try await watchWithLog()
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1] == "6  thing 6" }
    try await file.execute("DELETE FROM item WHERE id IN (2, 4, 7, 50000, 60000, 70000)")
    try await waitForMarks(above: 2, below: 3, on: tool)
    #expect(tool.lastRows[2] == "-  7  thing 7")
    try pool.close()
  }

  @Test func `in a sorted table, changes are counted and marked by the sort keys of their rows`()
    async throws
  {
    let (file, pool, tool) = try await watchWithLog()
    try tool.type("sr")
    try await tool.wait("the order") { $0.lastRows[0] == "100000  thing 100000" }
    try tool.type(" ")
    try await tool.wait("a page down") { $0.lastRows[1] == "99995  thing 99995" }
    try await file.execute("UPDATE item SET name = 'changed' WHERE id IN (99998, 99994, 5, 6, 7)")
    try await waitForMarks(above: 1, below: 3, on: tool)
    #expect(tool.lastRows[2] == "~  99994  changed")
    try tool.type("g")
    try await tool.wait("the mark") { $0.lastRows[2] == "~  99998  changed" }
    #expect(tool.lastRows.last?.hasSuffix("(4 marked)") == true)
    try pool.close()
  }

  @Test func `sorting and filtering happen in the database`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("sr")
    try await tool.wait("the order") { $0.lastRows[0] == "100000  thing 100000" }
    try tool.type("/thing 9999\r")
    try await tool.wait("the rows") { $0.lastFrame[0].contains("11 rows") }
    #expect(tool.lastRows[0] == "99999  thing 99999")
  }

  @Test(arguments: [("thing 9999", "11 rows", "9999"), ("8", "40951 rows", "8")])
  func `what a filter shows and hides is no change`(text: String, count: String, first: String)
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("/\(text)\r")
    try await tool.wait("the rows") { $0.lastFrame[0].contains(count) }
    #expect(tool.lastFrame[0].contains("since"))
    #expect(tool.lastRows[0] == "\(first)  thing \(first)")
    try tool.type("\u{1B}")
    try await tool.wait("all rows") { $0.lastFrame[0].contains("100000 rows") }
    #expect(tool.lastRows[0] == "1  thing 1")
    #expect(!tool.lastRows.contains { $0.contains("marked") })
    try await file.execute("UPDATE item SET name = 'other' WHERE id = 2")
    try await tool.wait("the change") { $0.lastRows[1] == "~  2  other" }
  }
}

/// The place of the shown rows while a large table changes.
@Suite struct WatchGrowingTableTests {
  private static let schema = "CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)"

  private func rows(_ ids: ClosedRange<Int>) -> String {
    """
    WITH RECURSIVE n (i) AS (SELECT \(ids.lowerBound) UNION ALL SELECT i + 1 FROM n
      WHERE i < \(ids.upperBound))
    INSERT INTO log SELECT i, 'line ' || i FROM n;
    """
  }

  private func watch(_ file: TestFile, _ first: String = "1  line 1") async throws -> RunningTool {
    let tool = try RunningTool(
      "watch",
      file.path,
      "log",
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first == first }
    return tool
  }

  @Test func `a log is followed while it grows past what is fetched as a whole`() async throws {
    let file = try await TestFile(Self.schema + ";" + rows(1...1900))
    let tool = try await watch(file)
    try await file.execute(rows(1901...1902))
    try await tool.wait("two new rows") { $0.lastRows.last == "+ 1902  line 1902" }
    #expect(tool.lastRows[0] == "… 1896 more rows above")
    try await file.execute(rows(1903...2100))
    try await tool.wait("many new rows") { $0.lastRows.last == "+ 2100  line 2100" }
    #expect(tool.lastRows[0] == "… 2094 more rows above (192 marked)")
    try await file.execute(rows(2101...2101))
    try await tool.wait("one new row") { $0.lastRows.last == "+ 2101  line 2101" }
    #expect(tool.lastRows[0] == "… 2095 more rows above")
    #expect(tool.lastRows[1] == "2096  line 2096")
    try tool.resize(columns: 60, rows: 6)
    try await tool.wait("the smaller window") { $0.lastFrame.count == 5 }
    try await file.execute(rows(2102...2_000_000))
    try await tool.wait("a multitude") { $0.lastRows.last == "+ 2000000  line 2000000" }
    try await tool.wait("the count") { $0.lastFrame[0].contains("2000000 rows") }
    #expect(tool.lastRows.first?.contains("(1997897 marked)") == true)
    try await file.execute(rows(2_000_001...2_000_001))
    try await tool.wait("one more row") { $0.lastRows.last == "+ 2000001  line 2000001" }
    #expect(tool.lastRows.first?.contains("marked") == false)
  }

  @Test func `in the middle the rows stay while others come and go`() async throws {
    let file = try await TestFile(Self.schema + ";" + rows(1...50_000))
    let tool = try await watch(file)
    try tool.type("G")
    try await tool.wait("the end") { $0.lastRows.last == "50000  line 50000" }
    try tool.type("\u{1B}[5~")
    // Before the rows of the page are fetched, the present rows are drawn.
    let shown = (49_990...49_994).map { "\($0)  line \($0)" }
    try await tool.wait("a page up") { $0.lastRows.dropFirst().dropLast() == shown[...] }
    try await file.execute(rows(50_001...50_003))
    try await tool.wait("the note") { $0.lastRows.last?.hasSuffix("(3 marked)") == true }
    #expect(tool.lastRows.dropFirst().dropLast() == shown[...])
    try await file.execute("DELETE FROM log WHERE id BETWEEN 101 AND 200")
    try await tool.wait("the count") { $0.lastFrame[0].contains("  49903 rows") }
    #expect(tool.lastRows.dropFirst().dropLast() == shown[...])
    try tool.type("f")
    // It is marked until a comparison finds the deletion, the later change.
    try await tool.wait("the end") { $0.lastRows.last?.hasSuffix("50003  line 50003") == true }
    try await file.execute(rows(50_004...50_004))
    try await tool.wait("the new row") { $0.lastRows.last == "+ 50004  line 50004" }
  }

  @Test func `at the end of a small table new rows are followed, and above it the row stays`()
    async throws
  {
    let file = try await TestFile(Self.schema + ";" + rows(11...50))
    let tool = try await watch(file, "11  line 11")
    try tool.type("G")
    try await tool.wait("the end") { $0.lastRows.last == "50  line 50" }
    try await file.execute("BEGIN;" + rows(51...51) + rows(1...4) + "COMMIT")
    try await tool.wait("the new row") {
      $0.lastFrame[0].contains("45 rows") && $0.lastRows.last?.hasSuffix("51  line 51") == true
    }
    try tool.type("k")
    try await tool.wait("a row up") { $0.lastRows.last == "… 2 more rows (1 marked)" }
    let top = tool.lastRows[1]
    try await file.execute(rows(5...8))
    try await tool.wait("the count") { $0.lastFrame[0].contains("49 rows") }
    #expect(tool.lastRows[1] == top)
  }

  @Test func `a slow order shows that it is at work, and the next key interrupts it`()
    async throws
  {
    let file = try await TestFile(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT,
        slow AS (length(hex(zeroblob(20000 + id % 7)))));
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO log SELECT i, 'line ' || i FROM n;
      """
    )
    let tool = try RunningTool(
      "watch",
      file.path,
      "log",
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first?.hasPrefix("1  line 1 ") == true }
    try tool.type("sss")
    try await tool.wait("the work") {
      $0.lastFrame[0].contains("working") && $0.lastFrame[1].contains("slow ▲")
    }
    try tool.type("s")
    try await tool.wait("no order") {
      !$0.lastFrame[0].contains("working") && !$0.lastFrame[1].contains("▲")
    }
    #expect(tool.lastRows.first?.hasPrefix("1  line 1 ") == true)
  }
}

@Suite struct PaneContentsTests {
  private func contents(_ ids: [Int], offset: Int, count: Int) -> PaneContents {
    PaneContents(
      result: result(["id"], ids.map { [$0] }, keys: [0]),
      offset: offset,
      count: count,
      isWhole: false
    )
  }

  @Test func `rows that move into a part or out of it are not marked`() {
    let previous = contents([10, 11, 12, 13], offset: 9, count: 100)
    // A row was removed before the part, so all rows have moved up.
    let next = contents([11, 12, 13, 14], offset: 9, count: 99)
    #expect(next.marked(since: previous).map(\.summary) == ["  11", "  12", "  13", "  14"])
    // A row was inserted before the part.
    let later = contents([9, 10, 11, 12], offset: 9, count: 101)
    #expect(later.marked(since: previous).map(\.summary) == ["  9", "  10", "  11", "  12"])
  }

  @Test func `changes between rows that are still there are marked`() {
    let previous = contents([1, 2, 3, 5], offset: 0, count: 100)
    let next = contents([0, 1, 3, 4], offset: 0, count: 101)
    #expect(next.marked(since: previous).map(\.summary) == ["+ 0", "  1", "- 2", "  3", "  4"])
  }
}
