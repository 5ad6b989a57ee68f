internal import Storage

/// The panes that are to be fetched, and how: the requests since the last fetch began.
struct ScreenFetching {
  /// The panes that are to be fetched.
  private(set) var wanted: Set<Int> = []
  /// The panes to fetch whose view a key has changed.
  private(set) var changedViews: Set<Int> = []
  /// The panes to fetch because of a commit.
  private var committed: Set<Int> = []
  /// Whether a fetch is under way.
  private(set) var isRunning = false
  /// The number of the last fetch.
  private(set) var number = 0
  /// Whether a frame became due during a fetch.
  var isFrameDue = false

  /// A pane to fetch, as it was when the fetch began.
  struct Job: Sendable {
    let index: Int
    var fetch: PaneFetch
    let view: PaneView
    /// The index of the row that was at the top of the window.
    let firstRow: Int?
    /// Whether only the database has changed since the last fetch.
    let isSameView: Bool
    /// Whether a commit is the reason.
    let isCommit: Bool
    var outcome: Result<PaneContents, any Error>?
    /// The failure, with a suggestion for a name that does not exist.
    var problem: (any Error)?
  }

  /// Asks for panes.
  mutating func add(_ panes: some Sequence<Int>, isSameView: Bool, isCommit: Bool = false) {
    wanted.formUnion(panes)
    if isCommit { committed.formUnion(panes) }
    if !isSameView { changedViews.formUnion(panes) }
  }

  /// Begins a fetch of the panes that were asked for, unless one is under way.
  mutating func begin(_ panes: [Pane]) -> [Job]? {
    guard !isRunning, !wanted.isEmpty else { return nil }
    defer { (wanted, changedViews, committed) = ([], [], []) }
    isRunning = true
    number += 1
    return wanted.sorted().map { index in
      Job(
        index: index,
        fetch: panes[index].fetch,
        view: panes[index].fetchedView,
        firstRow: panes[index].view.firstRow,
        isSameView: !changedViews.contains(index),
        isCommit: committed.contains(index)
      )
    }
  }

  /// Ends the fetch.
  ///
  /// - Returns: The jobs whose results can be shown. If a key has changed the view of a pane
  ///   meanwhile, the pane is fetched again.
  mutating func end(_ jobs: [Job]) -> [Job] {
    isRunning = false
    let overtaken = jobs.filter { changedViews.contains($0.index) || $0.outcome == nil }
    wanted.formUnion(overtaken.map(\.index))
    changedViews.formUnion(overtaken.filter { !$0.isSameView }.map(\.index))
    return jobs.filter { job in !overtaken.contains { $0.index == job.index } }
  }
}
