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
    basis: PaneContents.OffsetBasis = .earlierPart,
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
    contents.order.sort = sort.map { PaneView.Sort(column: $0, name: "value") }
    contents.changesElsewhere = .unknown
    contents.offsetBasis = basis
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
    top: Int? = nil,
    rowCount: Int = 5_000
  ) -> PaneComparison {
    var comparison = PaneComparison()
    comparison.rowCount = rowCount
    for row in changed { comparison.add(row, isNew: false) }
    comparison.remove(indices: removed)
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

  @Test(arguments: [true, false])
  func `a removed row stays while rows are only counted again`(isSameView: Bool) {
    func part(_ ids: [Int], isExact: Bool, deleted: Set<Int64> = []) -> PaneContents {
      var contents = PaneContents(
        result: result(["id"], ids.map { [$0] }, keys: [0]),
        offset: 10,
        count: 5_000,
        isCountExact: isExact,
        isWhole: false
      )
      contents.rowIDs = PaneContents.RowIDs(
        values: ids.map(Int64.init),
        range: Int64(ids[0])...Int64(ids.last!),
        filter: ""
      )
      contents.deletedRows = deleted
      return contents
    }
    var pane = pane(part([10, 11, 12, 13], isExact: true))
    show(part([10, 11, 13, 14], isExact: false, deleted: [12]), in: &pane)
    #expect(marks(pane) == [12])
    pane.show(part([10, 11, 13, 14], isExact: true), isSameView: isSameView, time: "12:00:02")
    #expect(marks(pane) == (isSameView ? [12] : []))
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

  @Test func `changes that the log does not name are compared, whatever the rows were fetched for`()
    throws
  {
    var pane = pane(contents())
    // The rows are counted after a commit, and the next commit has come.
    show(unlogged(0), in: &pane, isCommit: false)
    let request = pane.takeComparison()
    #expect(request != nil)
    // The next fetch sees rows that a commit has changed which the log has counted before.
    var late = logged(1)
    late.hasNamedChanges = false
    show(late, in: &pane)
    #expect(pane.takeComparison() == nil)
    try find(comparison(changed: [11, 30]), for: request, in: &pane)
    #expect(pane.marksOutside == (0, 1))
  }

  @Test func `what a comparison finds in a pause is shown after it`() throws {
    var pane = pane(contents())
    show(unlogged(0), in: &pane, isCommit: false)
    let request = pane.takeComparison()
    try find(comparison(changed: [2, 30]), for: request, in: &pane, isPaused: true)
    #expect(pane.marksOutside == (0, 0))
    var resumed = logged(0)
    resumed.hasNamedChanges = false
    show(resumed, in: &pane)
    try find(comparison(), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (1, 1))
  }

  @Test func `a commit that changes nothing here brings no marks back that the log has replaced`()
    throws
  {
    var pane = pane(unlogged(0))
    show(unlogged(0), in: &pane)
    try find(comparison(changed: [2, 30]), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (1, 1))
    show(logged(1), in: &pane)
    #expect(marks(pane) == [11])
    show(unlogged(1), in: &pane)
    try find(comparison(), for: pane.takeComparison(), in: &pane)
    #expect(marks(pane) == [11])
    #expect(pane.marksOutside == (0, 0))
  }

  @Test func `a comparison for a table that was closed is not one for the table opened again`()
    throws
  {
    var closed = Pane(query: .table("t"), titles: ["t"])
    show(contents(), in: &closed)
    var pane = Pane(query: .table("t"), titles: ["t"])
    show(contents(), in: &pane)
    let request = pane.takeComparison()
    try find(comparison(changed: [30]), for: closed.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (0, 0))
    // It still awaits its own one.
    show(logged(1), in: &pane)
    #expect(pane.takeComparison()?.onlyRemembers == true)
    #expect(request != nil)
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

  @Test func `other columns are a change that ends the marks of the change before`() {
    var pane = pane(logged(0))
    show(logged(1, elsewhere: [2, 4_000]), in: &pane)
    #expect(pane.marksOutside == (1, 1))
    var altered = logged(1)
    altered.result.columns = ["id", "amount"]
    altered.hasNamedChanges = false
    show(altered, in: &pane)
    #expect(marks(pane) == Array(10..<15))
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
    var counted = contents([14: 1], basis: .rows)
    (counted.offset, counted.count) = (7, 4_997)
    show(counted, in: &pane)
    #expect(marks(pane) == [14])
    #expect(pane.marksOutside == (4, 0))
  }

  @Test func `the start and the end have their own numbers until rows are counted`() throws {
    var pane = pane(contents())
    show(contents(isExact: false), in: &pane)
    // Two rows above were deleted.
    let found = comparison(changed: [1, 4_996], removed: [0, 3], top: 8, rowCount: 4_998)
    try find(found, for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (3, 1))
    show(contents(offset: 0, isExact: false, basis: .rows), in: &pane, isCommit: false)
    #expect(marks(pane) == [1])
    show(contents(offset: 0, count: 4_998, basis: .rows), in: &pane)
    #expect(marks(pane) == [1])
    show(contents(offset: 4_995, isExact: false, basis: .count), in: &pane, isCommit: false)
    #expect(marks(pane) == [4_998])
    #expect(pane.marksOutside == (3, 0))
    // The comparison ends when the end is shown already.
    show(contents(offset: 4_995, isExact: false, basis: .count), in: &pane)
    let last = comparison(changed: [2, 4_990], removed: [7], rowCount: 4_991)
    try find(last, for: pane.takeComparison(), in: &pane)
    #expect(marks(pane) == [4_999])
    #expect(pane.marksOutside == (2, 0))
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

  /// Returns contents whose changes the log names.
  private func logged(_ value: Int, elsewhere: Set<Int64> = []) -> PaneContents {
    var contents = contents([11: value])
    contents.changesElsewhere = .all
    contents.hasNamedChanges = true
    contents.rowIDs = PaneContents.RowIDs(values: Array(10..<15), range: 10...14, filter: "")
    contents.changedElsewhere = elsewhere
    return contents
  }

  /// Returns contents with changes that the log should name, and does not.
  private func unlogged(_ value: Int) -> PaneContents {
    var contents = logged(value)
    (contents.hasNamedChanges, contents.hasUnnamedChanges) = (false, true)
    contents.changesElsewhere = .unknown
    return contents
  }

  @Test func `a change that the log names overtakes a comparison that has not ended`() throws {
    var pane = Pane(query: .table("t"), titles: ["t"])
    show(logged(0), in: &pane)
    // The baseline.
    try find(nil, for: pane.takeComparison(), in: &pane)
    // The log has named a change before, so the comparison finds only other changes.
    show(logged(1), in: &pane)
    #expect(pane.takeComparison() == nil)
    show(unlogged(1), in: &pane)
    try find(comparison(changed: [2, 30]), for: pane.takeComparison(), in: &pane)
    #expect(pane.marksOutside == (1, 1))
    show(unlogged(1), in: &pane)
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
    show(unlogged(2), in: &pane)
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
