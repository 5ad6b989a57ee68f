import Storage
import Testing

@testable import DemoCLI

@Suite struct RowDiffTests {
  @Test func `rows without keys are paired by what stays equal, the most equal ones first`() {
    let old = result(
      ["name", "size", "price"],
      [["cup", 1, 5], ["cup", 2, 6], ["pot", 3, 7], ["jug", 4, 8], [nil, nil, 1]]
    )
    let new = result(
      ["name", "size", "price"],
      [["cup", 2, 9], ["cup", 1, 5], ["pan", 3, 7], ["lid", 40, 80], [nil, nil, 2]]
    )
    #expect(
      RowDiff.mark(new, since: old).map(\.summary).sorted() == [
        "  'cup' 1 5", "+ 'lid' 40 80", "+ NULL NULL 2", "- 'jug' 4 8", "- NULL NULL 1",
        "~ 'cup' 2 9*", "~ 'pan'* 3 7",
      ]
    )
    // The only row of a count or a sum is the same row.
    #expect(
      RowDiff.mark(result(["n"], [[2]]), since: result(["n"], [[1]])).map(\.summary) == ["~ 2*"]
    )
  }

  @Test func `many rows without keys are paired by values that are rare among them`() {
    let old = (0..<1_000).map { [$0, $0 % 3, $0 * 7] }
    // A name of another row, a changed price, and rows that come and go.
    var new = old.map { [$0[0], $0[1], $0[2] + 10_000] }
    new[500] = [-1, 1, -2]
    let diff = RowDiff.mark(
      result(["name", "size", "price"], new),
      since: result(["name", "size", "price"], old)
    )
    #expect(diff.count == 1_001)
    #expect(diff.count { $0.mark == .changed([2]) } == 999)
    #expect(diff.filter { $0.mark == .added }.map(\.summary) == ["+ -1 1 -2"])
    #expect(diff.filter { $0.mark == .removed }.map(\.summary) == ["- 500 2 3500"])
  }

  private func marks(_ previous: WatchedResult?, _ next: WatchedResult) -> [String] {
    RowDiff.mark(next, since: previous).map(\.summary)
  }

  @Test func `the rows of the first value are not marked`() {
    #expect(marks(nil, result(["id"], [[1], [2]], keys: [0])) == ["  1", "  2"])
  }

  @Test func `rows are matched by key, and removed rows stay in their place`() {
    let previous = result(["id", "name"], [[1, "a"], [2, "b"], [3, "c"], [4, "d"]], keys: [0])
    let next = result(["id", "name"], [[1, "a"], [3, "x"], [5, "e"]], keys: [0])
    #expect(
      marks(previous, next) == ["  1 'a'", "- 2 'b'", "~ 3 'x'*", "- 4 'd'", "+ 5 'e'"]
    )
  }

  @Test func `a row that was removed at the top stays at the top`() {
    let previous = result(["id"], [[1], [2], [3]], keys: [0])
    #expect(marks(previous, result(["id"], [[3]], keys: [0])) == ["- 1", "- 2", "  3"])
  }

  @Test func `when all rows are removed, all of them are shown once`() {
    let previous = result(["id"], [[1], [2]], keys: [0])
    #expect(marks(previous, result(["id"], [], keys: [])) == ["- 1", "- 2"])
  }

  @Test func `a row that only moves is not marked`() {
    let previous = result(["id", "n"], [[1, 1], [2, 2]], keys: [0])
    let next = result(["id", "n"], [[2, 2], [1, 1]], keys: [0])
    #expect(marks(previous, next) == ["  2 2", "  1 1"])
  }

  @Test func `a key of two columns is compared as a whole`() {
    let previous = result(["a", "b", "n"], [[1, 1, 0], [1, 2, 0]], keys: [0, 1])
    let next = result(["a", "b", "n"], [[1, 2, 7], [2, 1, 0]], keys: [0, 1])
    #expect(marks(previous, next) == ["- 1 1 0", "~ 1 2 7*", "+ 2 1 0"])
  }

  @Test func `without keys, whole rows are matched, and equal rows are counted`() {
    let previous = result(["n"], [["a"], ["a"], ["b"]])
    let next = result(["n"], [["a"], ["b"], ["b"]])
    #expect(marks(previous, next) == ["  'a'", "- 'a'", "  'b'", "+ 'b'"])
  }

  @Test func `without keys, a changed row is a removed row and a new row`() {
    let previous = result(["n"], [["a"], ["b"], ["c"]])
    let next = result(["n"], [["a"], ["x"], ["c"]])
    #expect(marks(previous, next) == ["  'a'", "- 'b'", "+ 'x'", "  'c'"])
  }

  @Test func `an integer, a real and a text that look alike are different values`() {
    let previous = result(["id", "n"], [[1, 1]], keys: [0])
    #expect(marks(previous, result(["id", "n"], [[1, "1"]], keys: [0])) == ["~ 1 '1'*"])
    #expect(marks(previous, result(["id", "n"], [[1, 1.0]], keys: [0])) == ["~ 1 1.0*"])
    #expect(marks(previous, result(["id", "n"], [[1, nil]], keys: [0])) == ["~ 1 NULL*"])
  }

  @Test func `when columns are added, removed or moved, values are compared by column name`() {
    let previous = result(["id", "old", "n"], [[1, "x", 5], [2, "y", 6]], keys: [0])
    #expect(marks(previous, result(["n", "id"], [[5, 1]], keys: [1])) == ["  5 1", "- 6 2"])
    #expect(
      marks(previous, result(["id", "n", "new"], [[1, 5, 0]], keys: [0]))
        == ["~ 1 5 0*", "- 2 6 NULL"]
    )
  }
}
