internal import Dispatch
internal import Storage

/// Compares large results with earlier states, and searches them for changes, on a queue of its
/// own.
final class ChangeSearch: @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed on `queue`.

  private let queue = DispatchQueue(label: "DemoCLI.search")
  /// What is remembered of large results, by the index of their pane.
  private var memories: [Int: PaneMemory] = [:]
  /// The comparisons that are wanted, by the index of their pane.
  private var wanted: [Int: Request] = [:]
  /// When the next comparison may begin.
  private var nextComparison = DispatchTime.now()
  private var isDue = false

  /// The part of the time that comparisons may take.
  private static let share = 0.03
  /// After this time, a comparison that a key has interrupted begins again.
  private static let pause = 0.5
  /// The number of rows that a comparison reads at once from a file without a log, where other
  /// processes cannot write meanwhile.
  private static let step = 2_000

  /// What is compared, and who gets the result.
  struct Request: Sendable {
    let query: WatchedQuery
    let view: PaneView
    /// The hash of the key of the row at the top of the window.
    let topKey: Int?
    let pool: DatabasePool
    /// Whether a key has changed the order or the filter: then the comparison does not wait.
    let isUrgent: Bool
    let completion: @Sendable (PaneComparison) -> Void
  }

  /// Remembers the rows of a pane, unless they are remembered already.
  func remember(_ query: WatchedQuery, pane: Int, in pool: DatabasePool) {
    queue.async { [self] in
      guard memories[pane]?.query != query else { return }
      _ = compare(pane, query, view: PaneView(), topKey: nil, in: pool)
    }
  }

  /// Compares the rows of a pane with those of the last comparison, as soon as comparisons have
  /// taken less than their share of the time.
  ///
  /// The completion gets what has changed, unless that is not known: at first, and when the filter
  /// or the order is another one than last time. If a pane wants several comparisons meanwhile,
  /// the last one is made.
  func compare(_ request: Request, pane: Int) {
    queue.async { [self] in
      wanted[pane] = request
      if request.isUrgent { compare(pane, request) } else { compareLater() }
    }
  }

  private func compareLater() {
    guard !isDue, !wanted.isEmpty else { return }
    isDue = true
    queue.asyncAfter(deadline: nextComparison) { [self] in
      isDue = false
      for (pane, request) in wanted.sorted(by: { $0.key < $1.key }) { compare(pane, request) }
      compareLater()
    }
  }

  private func compare(_ pane: Int, _ request: Request) {
    let start = DispatchTime.now()
    let result = compare(
      pane,
      request.query,
      view: request.view,
      topKey: request.topKey,
      in: request.pool
    )
    let end = DispatchTime.now()
    let seconds = Double(end.uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    nextComparison = end + (request.isUrgent ? 0 : seconds / Self.share)
    switch result {
    case .success(let comparison):
      wanted[pane] = nil
      if let comparison { request.completion(comparison) }
    case .failure(let error) where ScreenPresenter.isInterruption(error):
      nextComparison = end + Self.pause
      compareLater()
    // The pane shows the error of a query that fails.
    case .failure: wanted[pane] = nil
    }
  }

  /// Reads all rows of a pane, and compares them with those that are remembered.
  private func compare(
    _ pane: Int,
    _ query: WatchedQuery,
    view: PaneView,
    topKey: Int?,
    in pool: DatabasePool
  ) -> Result<PaneComparison?, any Error> {
    var memory = takeMemory(pane, query) ?? PaneMemory(query: query)
    var views = [view]
    if !memory.isReady, !view.filter.isEmpty {
      // All rows are remembered, not only those with the text.
      views.insert(view, at: 0)
      views[0].filter = ""
    }
    return Result {
      var comparison: PaneComparison?
      for view in views {
        var pass = memory.begin(view, topKey: topKey)
        do {
          while try read(&memory, &pass, in: pool) {}
        } catch {
          memory.abandon()
          memories[pane] = memory.isReady ? memory : nil
          throw error
        }
        comparison = memory.end(pass)
      }
      memories[pane] = memory
      return comparison
    }
  }

  /// Reads one step of a pass.
  private func read(
    _ memory: inout PaneMemory,
    _ pass: inout PaneMemory.Pass,
    in pool: DatabasePool
  ) throws -> Bool {
    try pool.read { db in
      // What changes while the rows are read for the first time would not be found later.
      let isAtOnce = try !memory.isReady || db.journalMode() == .wal
      return try memory.read(db, &pass, limit: isAtOnce ? nil : Self.step)
    }
  }

  /// Returns what is remembered of a query. It is not kept here, so that it can be changed without
  /// a copy.
  private func takeMemory(_ pane: Int, _ query: WatchedQuery) -> PaneMemory? {
    guard let memory = memories.removeValue(forKey: pane), memory.query == query else { return nil }
    return memory
  }

  /// Finds the next change of a pane.
  ///
  /// - Parameters:
  ///   - pane: The pane with its view.
  ///   - index: The index of the pane.
  ///   - forward: The direction.
  ///   - pool: The database.
  ///   - completion: Called with the changed row, or with `nil` if no row has changed. If the
  ///     search fails, it gets the error.
  func next(
    _ pane: Pane,
    at index: Int,
    forward: Bool,
    in pool: DatabasePool,
    _ completion: @escaping @Sendable (Result<PaneMemory.Found?, any Error>) -> Void
  ) {
    let (query, view, top) = (pane.query, pane.view, pane.shownFirstRow)
    queue.async { [self] in
      guard var memory = takeMemory(index, query) else { return completion(.success(nil)) }
      let result = Result {
        try pool.read { try memory.next($0, view: view, from: top, forward: forward) }
      }
      memories[index] = memory
      completion(result)
    }
  }
}
