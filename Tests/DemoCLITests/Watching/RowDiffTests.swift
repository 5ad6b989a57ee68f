import Testing

@testable import DemoCLI

@Suite struct RowDiffTests {
  private func marks(_ previous: WatchedResult?, _ next: WatchedResult) -> [String] {
    RowDiff.mark(next, since: previous).map(\.summary)
  }

  @Test("The rows of a first value are not marked")
  func first() {
    #expect(marks(nil, result(["id"], [[1], [2]], keys: [0])) == ["  1", "  2"])
  }

  @Test("Rows are the same by key: new, changed and gone ones are marked where they are")
  func keys() {
    let previous = result(["id", "name"], [[1, "a"], [2, "b"], [3, "c"], [4, "d"]], keys: [0])
    let next = result(["id", "name"], [[1, "a"], [3, "x"], [5, "e"]], keys: [0])
    #expect(
      marks(previous, next) == ["  1 'a'", "- 2 'b'", "~ 3 'x'*", "- 4 'd'", "+ 5 'e'"]
    )
  }

  @Test("A row that is gone from the top stays at the top")
  func goneFirst() {
    let previous = result(["id"], [[1], [2], [3]], keys: [0])
    #expect(marks(previous, result(["id"], [[3]], keys: [0])) == ["- 1", "- 2", "  3"])
  }

  @Test("When all rows are gone, all are shown once")
  func allGone() {
    let previous = result(["id"], [[1], [2]], keys: [0])
    #expect(marks(previous, result(["id"], [], keys: [])) == ["- 1", "- 2"])
  }

  @Test("A row that only moves is not marked")
  func moved() {
    let previous = result(["id", "n"], [[1, 1], [2, 2]], keys: [0])
    let next = result(["id", "n"], [[2, 2], [1, 1]], keys: [0])
    #expect(marks(previous, next) == ["  2 2", "  1 1"])
  }

  @Test("A key of two columns is compared as a whole")
  func compositeKey() {
    let previous = result(["a", "b", "n"], [[1, 1, 0], [1, 2, 0]], keys: [0, 1])
    let next = result(["a", "b", "n"], [[1, 2, 7], [2, 1, 0]], keys: [0, 1])
    #expect(marks(previous, next) == ["- 1 1 0", "~ 1 2 7*", "+ 2 1 0"])
  }

  @Test("Without keys the whole row counts, as many times as it is there")
  func multiset() {
    let previous = result(["n"], [["a"], ["a"], ["b"]])
    let next = result(["n"], [["a"], ["b"], ["b"]])
    #expect(marks(previous, next) == ["  'a'", "- 'a'", "  'b'", "+ 'b'"])
  }

  @Test("Without keys a changed row is one that is gone and one that is new")
  func changedWithoutKey() {
    let previous = result(["n"], [["a"], ["b"], ["c"]])
    let next = result(["n"], [["a"], ["x"], ["c"]])
    #expect(marks(previous, next) == ["  'a'", "- 'b'", "+ 'x'", "  'c'"])
  }

  @Test("An integer, a real and a text that look alike are different values")
  func types() {
    let previous = result(["id", "n"], [[1, 1]], keys: [0])
    #expect(marks(previous, result(["id", "n"], [[1, "1"]], keys: [0])) == ["~ 1 '1'*"])
    #expect(marks(previous, result(["id", "n"], [[1, 1.0]], keys: [0])) == ["~ 1 1.0*"])
    #expect(marks(previous, result(["id", "n"], [[1, nil]], keys: [0])) == ["~ 1 NULL*"])
  }

  @Test("When columns come, go and move, values are compared by the names of their columns")
  func otherColumns() {
    let previous = result(["id", "old", "n"], [[1, "x", 5], [2, "y", 6]], keys: [0])
    #expect(marks(previous, result(["n", "id"], [[5, 1]], keys: [1])) == ["  5 1", "- 6 2"])
    #expect(
      marks(previous, result(["id", "n", "new"], [[1, 5, 0]], keys: [0]))
        == ["~ 1 5 0*", "- 2 6 NULL"]
    )
  }
}
