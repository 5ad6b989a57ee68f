import Testing

/// The whole screen of `watch`, as a person sees it after keys, changes and resizing.
@Suite struct WatchPictureTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
    INSERT INTO item VALUES (1, 'a cup with a long name', 100), (2, 'pot', 25), (3, 'jug', 7);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER); INSERT INTO sale VALUES (1, 3);
    """

  /// Waits until the screen shows these lines, where `TIME` means any time and `N` any number.
  private func expect(
    _ expected: String,
    on tool: RunningTool,
    columns: Int = 50,
    rows: Int = 14,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    func picture() -> String {
      Picture(of: tool.outputText, columns: columns, rows: rows).text
        .joined(separator: "\n").replacing(/\d\d:\d\d:\d\d/, with: "TIME")
        .replacing(/value \d+/, with: "value N")
    }
    _ = try await tool.comes(within: RunningTool.patience) { _ in picture() == expected }
    #expect(picture() == expected, sourceLocation: sourceLocation)
  }

  @Test func `the screen shows each state, and nothing of the one before`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["watch", file.path, "item", "sale"],
      output: .terminal(columns: 50, rows: 14)
    )
    try await expect(
      """
      > item   3 rows   since TIME   value N
        id  name                    price
         1  a cup with a long name    100
         2  pot                        25
         3  jug                         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      """,
      on: tool
    )
    // A shorter name leaves nothing of the longer one.
    try await file.execute(
      "BEGIN; UPDATE item SET name = 'cup' WHERE id = 1; DELETE FROM item WHERE id = 2; COMMIT"
    )
    try await expect(
      """
      > item   2 rows   last change TIME   value N
        id  name                    price
      ~  1  cup                       100
      -  2  pot                        25
         3  jug                         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      """,
      on: tool
    )
    try tool.type("ss")
    try await expect(
      """
      > item   2 rows   last change TIME   value N
        id  name ▲  price
         1  cup       100
         3  jug         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      """,
      on: tool
    )
    try tool.type("/ju")
    try await expect(
      """
      > item   2 rows   last change TIME   value N
        id  name ▲  price
         1  cup       100
         3  jug         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      /ju_
      """,
      on: tool
    )
    try tool.type("\r")
    try await expect(
      """
      > item   with 'ju'   1 row   last change TIME…
        id  name ▲  price
         3  jug         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      """,
      on: tool
    )
    try tool.type("?")
    try await expect(
      """
      Keys
        arrows, page up, page down, home, end   scroll
        f      follow the changes again, or the last ro…
        n, N   jump to the next or previous change
        s, r   sort by the next column, reverse the ord…
        enter  show one row with all its columns; arrow…
        /      show the rows with a text; escape shows …
        p      pause, or continue
        tab    give the keys to the next pane
        escape go back to the list of tables
        ?, q   this help, quit
      """,
      on: tool
    )
    try tool.type("x\u{1B}")
    try await expect(
      """
      > item   2 rows   last change TIME   value N
        id  name ▲  price
         1  cup       100
         3  jug         7
        sale   1 row   since TIME   value N
        id  item
         1     3
      """,
      on: tool
    )
    try tool.resize(columns: 24, rows: 8)
    try await expect(
      """
      > item   2 rows   last …
        id  name ▲  price
         1  cup       100
         3  jug         7
        sale   1 row   since …
        id  item
         1     3
      """,
      on: tool,
      columns: 24,
      rows: 8
    )
    try tool.type("\u{3}")
    #expect(try await tool.exitCode() == 0)
    // The last picture stays on the screen.
    try await expect(
      """
      > item   2 rows   last …
        id  name ▲  price
         1  cup       100
         3  jug         7
        sale   1 row   since …
        id  item
         1     3
      """,
      on: tool,
      columns: 24,
      rows: 8
    )
  }
}
