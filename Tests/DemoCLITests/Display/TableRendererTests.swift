import Testing

@testable import DemoCLI

@Suite struct TableRendererTests {
  private func picture(
    _ next: WatchedResult,
    since previous: WatchedResult? = nil
  ) -> TablePicture {
    TablePicture(
      titles: ["/var/lib/shop.db · item", "shop.db · item", "item"],
      facts: ["2 rows", "last change 14:03:22", "value 7"],
      columns: next.columns,
      rows: RowDiff.mark(next, since: previous)
    )
  }

  private func texts(_ picture: TablePicture, columns: Int = 80, rows: Int = 24) -> [String] {
    TableRenderer.lines(of: picture, in: WindowSize(columns: columns, rows: rows)).map(\.text)
  }

  private let shop = result(
    ["id", "name", "price"],
    [[1, "cup", 4.5], [10, "pot", nil]],
    keys: [0]
  )

  /// Returns a result with `count` rows of one number.
  private func numbers(_ count: Int) -> WatchedResult {
    result(["n"], (0..<count).map { [$0] }, keys: [0])
  }

  @Test func `the table is below the title and the facts, and numbers are aligned to the right`() {
    #expect(
      texts(picture(shop)) == [
        "/var/lib/shop.db · item   2 rows   last change 14:03:22   value 7",
        "  id  name  price",
        "   1  cup     4.5",
        "  10  pot   NULL ",
      ]
    )
  }

  @Test func `new, changed and removed rows have signs and styles`() {
    let next = result(["id", "name", "price"], [[1, "cup", 5.5], [11, "jug", 9.0]], keys: [0])
    let lines = TableRenderer.lines(
      of: picture(next, since: shop),
      in: WindowSize(columns: 80, rows: 24)
    )
    #expect(
      lines.map(\.text).dropFirst(2) == [
        "~  1  cup     5.5",
        "- 10  pot   NULL ",
        "+ 11  jug     9.0",
      ]
    )
    #expect(lines[2].texts(in: .changedCell) == ["5.5"])
    #expect(lines[3].texts(in: .removed).contains("pot"))
    #expect(lines[4].texts(in: .added).contains("jug"))
  }

  @Test func `in a narrow window, first the title gets shorter and then the facts are cut`() {
    let picture = picture(shop)
    #expect(
      texts(picture, columns: 60)[0]
        == "shop.db · item   2 rows   last change 14:03:22   value 7"
    )
    #expect(texts(picture, columns: 50)[0] == "item   2 rows   last change 14:03:22   value 7")
    #expect(texts(picture, columns: 30)[0] == "item   2 rows   last change 1…")
  }

  @Test func `hidden rows are counted, and so are the marked rows among them`() {
    let next = result(["n"], [[0], [1]] + (100..<200).map { [$0] }, keys: [0])
    let texts = texts(picture(next, since: numbers(2)), rows: 8)
    #expect(texts.count == 7)
    #expect(texts[2...].first == "    0")
    #expect(texts.last == "… 98 more rows (98 marked)")
  }

  @Test func `when only hidden rows have changed, the table is shown from the first change`() {
    let texts = texts(picture(numbers(101), since: numbers(100)), rows: 8)
    #expect(
      texts.dropFirst(2) == [
        "… 97 more rows above", "   97", "   98", "   99", "+ 100",
      ]
    )
  }

  @Test func `a problem is shown on the last line, below the unchanged table`() {
    var picture = picture(shop)
    picture.problem = "no such file"
    #expect(texts(picture).count == 5)
    #expect(texts(picture).last == "! no such file")
  }

  @Test func `a table without rows says so`() {
    #expect(texts(picture(result(["id"], []))).dropFirst() == ["  id", "  no rows"])
  }

  @Test func `control characters in titles, names, values and problems are escaped`() {
    var picture = picture(result(["a\nb"], [["\u{1B}[2J"]]))
    picture.titles = ["t\u{7}"]
    picture.problem = "p\u{1B}c"
    let text = texts(picture).joined()
    #expect(text.contains(#"a\nb"#))
    #expect(text.contains(#"\u{1B}[2J"#))
    #expect(text.contains(#"t\u{7}"#))
    #expect(text.contains(#"p\u{1B}c"#))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test(
    arguments: [1, 2, 3, 4, 5, 8, 24],
    [3, 8, 20, 200]
  )
  func `no picture is larger than its window`(rows: Int, columns: Int) {
    let wide = result(
      (0..<12).map { "column \($0)" },
      (0..<50).map { row in (0..<12).map { "日本語 \(row * $0)" } }
    )
    for problem in [nil, "something is wrong"] {
      for result in [wide, shop, numbers(0)] {
        var picture = picture(result, since: numbers(3))
        picture.problem = problem
        let size = WindowSize(columns: columns, rows: rows)
        let lines = TableRenderer.lines(of: picture, in: size)
        #expect(lines.count <= max(1, rows - 1))
        #expect(lines.allSatisfy { $0.width <= columns })
        if problem != nil { #expect(lines.last?.text.hasPrefix("!") == true) }
      }
    }
  }
}
