import Storage
import Testing

@testable import DemoCLI

/// How the results of comparisons are shown, which come later than the rows.
@Suite struct PaneChangesTests {
  /// Returns 5 rows of a large result that no log describes, each with its key and a value.
  private func contents(
    _ values: [Int: Int] = [:],
    offset: Int = 10,
    count: Int = 5_000,
    isExact: Bool = true,
    sort: Int? = nil
  ) -> PaneContents {
    var contents = PaneContents(
      result: result(
        ["id", "value"],
        (offset..<(offset + 5)).map { [$0, values[$0] ?? 0] },
        keys: [0]
      ),
      offset: offset,
      count: count,
      isCountExact: isExact,
      isWhole: false
    )
    contents.order.sort = sort.map { PaneView.Sort(column: $0) }
    contents.changesElsewhere = .unknown
    contents.isOffsetDerived = true
    return contents
  }

  private func pane(_ contents: PaneContents) -> Pane {
    var pane = Pane(query: .table("t"), titles: ["t"])
    show(contents, in: &pane)
    _ = pane.takeComparison()
    return pane
  }

  private func show(_ contents: PaneContents, in pane: inout Pane, isCommit: Bool = true) {
    if isCommit { pane.needsComparison = true }
    pane.show(contents, isSameView: isCommit, time: "12:00:00")
  }

  private func comparison(
    changed: [Int] = [],
    removed: [Int] = [],
    top: Int? = nil
  ) -> PaneComparison {
    var comparison = PaneComparison()
    for row in changed { comparison.add(row, isNew: false) }
    comparison.remove(places: removed)
    if let top { comparison.noteTop(top, expected: top) }
    return comparison
  }

  private func find(
    _ comparison: PaneComparison?,
    for request: ComparisonRequest?,
    in pane: inout Pane,
    isPaused: Bool = false
  ) throws {
    pane.show(comparison, for: try #require(request), isPaused: isPaused, time: "12:00:01")
  }

  private func marks(_ pane: Pane) -> [Int] {
    pane.rows.filter { $0.mark != .unchanged }.compactMap { Int.fromDatabaseValue($0.values[0]) }
  }

  @Test func `a comparison is asked for after each commit and for each order, not for scrolling`() {
    var pane = pane(contents())
    show(contents(offset: 20), in: &pane, isCommit: false)
    #expect(pane.takeComparison() == nil)
    show(contents(sort: 0), in: &pane, isCommit: false)
    #expect(pane.takeComparison()?.isUrgent == true)
    // Before the rows of a commit were shown, a key has moved the view.
    pane.needsComparison = true
    show(contents(offset: 20, sort: 0), in: &pane, isCommit: false)
    #expect(pane.takeComparison()?.isUrgent == false)
    #expect(pane.takeComparison() == nil)
  }

  @Test func `the place of the top row is only looked for by a key that is its own`() {
    var pane = pane(contents())
    show(contents([11: 1]), in: &pane)
    #expect(pane.takeComparison()?.topKey != nil)
    var equal = contents([11: 2])
    equal.result = result(["value"], [[1], [1], [1], [1], [1]])
    show(equal, in: &pane)
    #expect(pane.takeComparison()?.topKey == nil)
    var comparison = PaneComparison()
    for row in [3, 90, 12, 4_000] { comparison.noteTop(row, expected: 10) }
    #expect(comparison.top == 12)
  }

  @Test func `what a comparison finds is counted and marked, and stays while the view moves`()
    throws
  {
    var pane = pane(contents())
    show(contents(), in: &pane)
    try find(comparison(changed: [2, 12, 30, 31]), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (1, 2))
    #expect(marks(pane) == [12])
    #expect(pane.lastChange == "last change 12:00:01")
    show(contents(offset: 28), in: &pane, isCommit: false)
    #expect(marks(pane) == [30, 31])
    #expect(pane.marksOutside == (2, 0))
  }

  @Test func `the marks of an earlier change go when a comparison finds a later one`() throws {
    var pane = pane(contents())
    show(contents([11: 1]), in: &pane)
    try find(comparison(changed: [11]), for: pane.takeComparison(), in: &pane)
    #expect(marks(pane) == [11])
    show(contents([11: 1]), in: &pane)
    #expect(marks(pane) == [11])
    try find(comparison(changed: [4_000]), for: pane.takeComparison(), in: &pane)
    #expect(marks(pane) == [])
    #expect(pane.marksOutside == (0, 1))
  }

  @Test func `another order forgets what was found, before and while it is compared`() throws {
    var pane = pane(contents())
    show(contents(), in: &pane)
    let request = pane.takeComparison()
    try find(comparison(changed: [2, 12]), for: request, in: &pane)
    show(contents(sort: 1), in: &pane, isCommit: false)
    #expect(marks(pane) == [])
    #expect(pane.marksOutside == (0, 0))
    try find(comparison(changed: [2, 12]), for: request, in: &pane)
    #expect(pane.marksOutside == (0, 0))
  }

  @Test func `rows that have moved are not marked for others`() throws {
    var pane = pane(contents())
    show(contents(), in: &pane)
    try find(comparison(changed: [12]), for: pane.takeComparison(), in: &pane)
    // Three rows above were deleted: the same rows have other numbers.
    var moved = contents()
    (moved.offset, moved.count) = (7, 4_997)
    show(moved, in: &pane)
    #expect(marks(pane) == [])
    let request = pane.takeComparison()
    try find(comparison(removed: [0, 1, 2], top: 7), for: request, in: &pane)
    #expect(pane.marksOutside == (3, 0))
  }

  @Test func `until rows are counted, a comparison tells their numbers`() throws {
    var pane = pane(contents())
    show(contents([14: 1], isExact: false), in: &pane)
    // Three rows above were deleted, too.
    let request = pane.takeComparison()
    try find(comparison(changed: [6, 11], removed: [0, 1, 2], top: 7), for: request, in: &pane)
    #expect(marks(pane) == [14])
    #expect(pane.marksOutside == (4, 0))
    var counted = contents([14: 1])
    (counted.offset, counted.count) = (7, 4_997)
    show(counted, in: &pane)
    #expect(marks(pane) == [14])
    #expect(pane.marksOutside == (4, 0))
  }

  @Test(arguments: [false, true])
  func `a comparison that has read a later commit is shown when the next one finds nothing`(
    isPaused: Bool
  ) throws {
    var pane = pane(contents())
    show(contents(), in: &pane)
    let request = pane.takeComparison()
    try find(comparison(changed: [12, 300]), for: request, in: &pane, isPaused: isPaused)
    #expect(pane.marksOutside == (isPaused ? (0, 0) : (0, 1)))
    show(contents([12: 1]), in: &pane)
    #expect(pane.marksOutside == (0, 0))
    try find(comparison(), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (0, 1))
    #expect(marks(pane) == [12])
  }

  @Test func `beside a fast writer, what was found is shown for some changes`() throws {
    var pane = pane(contents())
    show(contents([11: 1]), in: &pane)
    let request = pane.takeComparison()
    show(contents([11: 2]), in: &pane)
    try find(comparison(changed: [11, 300]), for: request, in: &pane)
    var shown = 0
    for value in 3..<30 where pane.marksOutside == (0, 1) {
      shown += 1
      show(contents([11: value]), in: &pane)
      #expect(marks(pane) == [11])
    }
    #expect(shown == 11)
    #expect(pane.marksOutside == (0, 0))
  }

  /// Returns contents of which the log names all changes.
  private func logged(_ value: Int, elsewhere: Set<Int64> = []) -> PaneContents {
    var contents = contents([11: value])
    contents.changesElsewhere = .all
    contents.rowIDs = PaneContents.RowIDs(values: Array(10..<15), range: 10...14, filter: "")
    contents.changedElsewhere = elsewhere
    return contents
  }

  @Test func `a change that the log names overtakes a comparison that has not ended`() throws {
    var pane = Pane(query: .table("t"), titles: ["t"])
    show(logged(0), in: &pane)
    var unlogged = logged(0)
    unlogged.changesElsewhere = .unknown
    // The baseline.
    try find(nil, for: pane.takeComparison(), in: &pane)
    // The log has named a change before, so that the comparison finds others only.
    show(logged(1), in: &pane)
    #expect(pane.takeComparison() == nil)
    show(unlogged, in: &pane)
    try find(comparison(changed: [2, 30]), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (1, 1))
    show(unlogged, in: &pane)
    let request = pane.takeComparison()
    #expect(request?.onlyRemembers == false)
    show(logged(2, elsewhere: [4_000]), in: &pane)
    let remembering = pane.takeComparison()
    #expect(remembering?.onlyRemembers == true)
    #expect(pane.takeComparison() == nil)
    try find(comparison(changed: [300]), for: request, in: &pane)
    #expect(pane.marksOutside == (0, 1))
    #expect(marks(pane) == [11])
    try find(comparison(changed: [301]), for: remembering, in: &pane)
    #expect(pane.marksOutside == (0, 1))
    // The rows are known again.
    unlogged = logged(2)
    unlogged.changesElsewhere = .unknown
    show(unlogged, in: &pane)
    try find(comparison(changed: [2, 3]), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (2, 0))
  }

  @Test func `a row that changes again elsewhere takes the marks of the change before`() {
    var pane = pane(logged(0))
    show(logged(1, elsewhere: [4_000]), in: &pane)
    #expect(marks(pane) == [11])
    show(logged(1, elsewhere: [4_000]), in: &pane)
    #expect(marks(pane) == [])
    #expect(pane.marksOutside == (0, 1))
  }
}
