import Storage
import Testing

@testable import DemoCLI

@Suite struct ScreenTests {
  /// Returns a screen with panes of so many rows.
  private func screen(_ counts: Int...) -> Screen {
    var screen = Screen(
      panes: counts.indices.map { Pane(query: .table("t\($0)"), titles: ["t\($0)"]) }
    )
    for (index, count) in counts.enumerated() {
      let rows = result(["id"], (0..<count).map { [$0] }, keys: [0])
      screen.panes[index].show(
        PaneContents(result: rows, count: count),
        isSameView: true,
        time: "12:00:00"
      )
    }
    return screen
  }

  /// Returns the indexes of the lines that are the headings of panes.
  private func headings(_ screen: Screen, height: Int) -> [Int] {
    var screen = screen
    let lines = screen.lines(in: WindowSize(columns: 80, rows: height + 1))
    #expect(lines.count <= height)
    return lines.indices.filter { lines[$0].text.contains("12:00:00") }
  }

  @Test func `a pane with few rows leaves its lines to the others`() {
    #expect(headings(screen(100, 1), height: 20) == [0, 17])
    #expect(headings(screen(1, 100), height: 20) == [0, 3])
    #expect(headings(screen(100, 100), height: 20) == [0, 10])
    #expect(headings(screen(2, 1, 100), height: 20) == [0, 4, 7])
  }

  @Test(arguments: 1...6)
  func `a small window shows what fits`(height: Int) {
    #expect(headings(screen(100, 100, 100), height: height).count <= 3)
    #expect(headings(screen(100), height: height) == [0])
  }

  @Test func `keys go to the prompt while it is open`() {
    var screen = screen(10)
    #expect(screen.handle(.character("/")) == .draw)
    #expect(screen.handle(.character("q")) == .draw)
    #expect(screen.prompt == "q")
    #expect(screen.handle(.escape) == .draw)
    #expect(screen.prompt == nil)
    #expect(screen.panes[0].view.filter.isEmpty)
    #expect(screen.handle(.character("q")) == .end)
  }

  @Test func `a key without a meaning does nothing`() {
    var screen = screen(10)
    #expect(screen.handle(.character("z")) == .nothing)
    #expect(screen.handle(.escape) == .nothing)
  }

  @Test func `only the focused pane is scrolled`() {
    var screen = screen(50, 50)
    _ = screen.lines(in: WindowSize(columns: 80, rows: 21))
    _ = screen.handle(.tab)
    _ = screen.handle(.down)
    #expect(screen.panes.map(\.view.firstRow) == [nil, 1])
  }

  /// Returns a screen with one pane that has 20 rows, beginning with the row `offset`.
  private func largeScreen(from offset: Int) -> Screen {
    var screen = Screen(panes: [Pane(query: .table("t"), titles: ["t"])])
    show(from: offset, on: &screen)
    return screen
  }

  /// Shows 20 rows of a result of 10,000 rows.
  private func show(from offset: Int, on screen: inout Screen) {
    let rows = result(["id"], (offset..<offset + 20).map { [$0] }, keys: [0])
    let contents = PaneContents(result: rows, offset: offset, count: 10_000, isWhole: false)
    screen.panes[0].show(contents, isSameView: false, requestedRow: offset, time: "12:00:00")
    _ = screen.lines(in: WindowSize(columns: 80, rows: 20))
  }

  // The rows 5000 to 5019 are there, and 16 rows fit between the notes.
  @Test(
    arguments: [
      ([.up, .up, .up], 4997), ([.down, .down, .down], 5003), ([.pageUp, .pageUp], 4970),
      ([.pageDown, .pageDown, .pageDown], 5045), ([.home, .down, .down], 2),
      ([.end, .up, .up], 9982), ([.pageDown, .pageUp], 5000), ([.up, .character("z"), .up], 4998),
    ] as [([Key], Int)]
  )
  func `keys count from where the keys before them have led, before its rows are fetched`(
    keys: [Key],
    row: Int
  ) {
    var screen = largeScreen(from: 5000)
    for key in keys {
      _ = screen.handle(key)
      _ = screen.lines(in: WindowSize(columns: 80, rows: 20))
    }
    #expect(screen.panes[0].view.firstRow == row)
  }

  @Test func `a row is shown alone only when the rows of the view are there`() {
    var screen = largeScreen(from: 0)
    _ = screen.handle(.pageDown)
    _ = screen.handle(.pageDown)
    let row = screen.panes[0].view.firstRow ?? 0
    _ = screen.handle(.enter)
    #expect(screen.panes[0].detail == nil)
    show(from: row, on: &screen)
    #expect(screen.panes[0].detail?.key == [row.databaseValue])
  }

  @Test func `in a row that is shown alone, keys go to other rows, scroll, or leave it`() {
    var screen = screen(10)
    func key() -> DatabaseValue? { screen.panes[0].detail?.key.first }
    #expect(screen.handle(.enter) == .draw)
    #expect(key() == 0.databaseValue)
    for (pressed, row) in [(Key.down, 1), (.character("j"), 2), (.up, 1), (.character("k"), 0)] {
      #expect(screen.handle(pressed) == .draw)
      #expect(key() == row.databaseValue)
    }
    // The first row is shown already.
    #expect(screen.handle(.up) == .draw)
    #expect(key() == 0.databaseValue)
    for pressed in [Key.pageDown, .character(" "), .pageUp, .pageUp, .pageUp] {
      #expect(screen.handle(pressed) == .draw)
    }
    #expect(screen.panes[0].detail?.firstLine == 0)
    #expect(screen.handle(.character("z")) == .nothing)
    for pressed in [Key.escape, .left, .character("h"), .enter] {
      #expect(screen.panes[0].detail != nil)
      #expect(screen.handle(pressed) == .draw)
      #expect(screen.panes[0].detail == nil)
      #expect(screen.handle(.enter) == .draw)
    }
    #expect(screen.handle(.character("q")) == .end)
  }

  @Test func `from a row of a large table that is shown alone, the one before it is fetched`() {
    var screen = largeScreen(from: 5000)
    #expect(screen.handle(.enter) == .draw)
    #expect(screen.panes[0].detail?.key == [5000.databaseValue])
    #expect(screen.handle(.up) == .fetch)
    #expect(screen.panes[0].detail == nil)
    #expect(screen.panes[0].view.firstRow == 4999)
    show(from: 4999, on: &screen)
    #expect(screen.panes[0].detail?.key == [4999.databaseValue])
    #expect(screen.handle(.down) == .fetch)
    #expect(screen.panes[0].detail?.key == [5000.databaseValue])
  }

  @Test func `n and N go from one changed row to the next, around the end`() {
    var screen = screen(100)
    _ = screen.lines(in: WindowSize(columns: 80, rows: 20))
    #expect(screen.handle(.character("n")) == .draw)
    #expect(screen.panes[0].view.firstRow == nil)
    let rows = (0..<100).map { [$0, [10, 40, 90].contains($0) ? 1 : 0] }
    let former = result(["id", "n"], (0..<100).map { [$0, 0] }, keys: [0])
    for result in [former, result(["id", "n"], rows, keys: [0])] {
      screen.panes[0].show(
        PaneContents(result: result, count: 100),
        isSameView: true,
        time: "12:00:00"
      )
    }
    _ = screen.lines(in: WindowSize(columns: 80, rows: 20))
    screen.panes[0].moveTop(to: 0)
    for (key, row) in [("n", 10), ("n", 40), ("n", 90), ("n", 10), ("N", 90), ("N", 40)] {
      #expect(screen.handle(.character(Character(key))) == .draw)
      #expect(screen.panes[0].view.firstRow == row)
    }
  }
}
