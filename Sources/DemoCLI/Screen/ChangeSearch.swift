internal import Dispatch
internal import Storage

/// Compares large results with earlier states, and searches them for changes, on a queue of its
/// own.
final class ChangeSearch: @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed on `queue`.

  private let queue = DispatchQueue(label: "DemoCLI.search")
  /// The remembered rows of large results, by the index of their pane.
  private var memories: [Int: PaneMemory] = [:]
  /// The comparisons that are wanted, by the index of their pane.
  private var wanted: [Int: Work] = [:]
  /// When a comparison that is not urgent may begin, and when a comparison that only remembers the
  /// rows may.
  private var nextComparison = DispatchTime.now()
  private var nextRemembering = DispatchTime.now()
  /// When the next one is due.
  private var due: DispatchTime?
  /// How long comparisons have taken.
  private var workTime = WorkTime()

  /// The part of the time that comparisons may take.
  private static let share = 0.03
  /// The part of the time for comparisons whose results are not shown.
  private static let shareOfRemembering = 0.003
  /// The shortest time after which a comparison that a key has interrupted begins again.
  private static let pause = 0.5
  /// The number of rows that a comparison reads at once from a file without a log, where the read
  /// is repeated if other processes write meanwhile.
  private static let step = 2_000

  private struct Work {
    let request: ComparisonRequest
    /// Whether it does not wait: a key has changed the order or the filter.
    let isUrgent: Bool
    let pool: DatabasePool
    let completion: @Sendable (PaneComparison?) -> Void
  }

  /// Notes rows that the log of the file has named, so that comparisons do not find them again.
  func note(_ rows: NamedRows, of query: WatchedQuery, pane: Int) {
    queue.async { [self] in
      guard memories[pane]?.query == query else { return }
      memories[pane]?.note(rows)
    }
  }

  /// Drops the rows of a pane, whose result is small now.
  func forget(pane: Int) {
    queue.async { [self] in (memories[pane], wanted[pane]) = (nil, nil) }
  }

  /// Compares the rows of a pane with the rows of the last comparison, as soon as comparisons have
  /// taken less than their share of the time, or at once for another order.
  ///
  /// The completion gets the changes, or `nil` if they are not known: at first, and when the order
  /// or the filter has changed. If a pane wants several comparisons meanwhile, the last one is
  /// made.
  func compare(
    _ request: ComparisonRequest,
    pane: Int,
    in pool: DatabasePool,
    _ completion: @escaping @Sendable (PaneComparison?) -> Void
  ) {
    queue.async { [self] in
      wanted[pane] = Work(
        request: request,
        isUrgent: request.isUrgent || wanted[pane]?.isUrgent == true,
        pool: pool,
        completion: completion
      )
      schedule()
    }
  }

  /// Makes the comparisons when they are due.
  private func schedule(after pause: Double = 0) {
    let times = wanted.values.map { $0.isUrgent ? .now() + pause : earliestTime(of: $0) }
    guard let time = times.min() else { return }
    if let due, due <= time { return }
    due = time
    queue.asyncAfter(deadline: time) { [self] in
      // Another time was set meanwhile.
      guard due == time else { return }
      due = nil
      let now = DispatchTime.now()
      var isInterrupted = false
      for (pane, work) in wanted.sorted(by: { $0.key < $1.key })
      where work.isUrgent || now >= earliestTime(of: work) {
        isInterrupted = perform(work, pane: pane) != nil || isInterrupted
      }
      schedule(after: isInterrupted ? Self.pause : 0)
    }
  }

  private func earliestTime(of work: Work) -> DispatchTime {
    work.request.onlyRemembers ? nextRemembering : nextComparison
  }

  /// Makes a comparison.
  ///
  /// - Returns: The error, if a key has interrupted it.
  private func perform(_ work: Work, pane: Int) -> (any Error)? {
    let request = work.request
    let workBefore = workTime.seconds
    let result = compare(
      pane,
      request.query,
      request.order,
      top: request.topKey.map { PaneMemory.Top(key: $0, offset: request.offset) },
      in: work.pool
    )
    let end = DispatchTime.now()
    let seconds = workTime.seconds - workBefore
    if !work.isUrgent {
      nextComparison = max(nextComparison, end) + seconds / Self.share
      if request.onlyRemembers { nextRemembering = end + seconds / Self.shareOfRemembering }
    }
    switch result {
    case .success(let comparison):
      wanted[pane] = nil
      // If a pass could not end before, it is not known when the rows were remembered.
      work.completion(work.isUrgent ? nil : comparison)
    case .failure(let error) where ScreenPresenter.isInterruption(error):
      nextComparison = max(nextComparison, end + Self.pause)
      nextRemembering = max(nextRemembering, end + Self.pause)
      return error
    // The pane shows the error of a query that fails.
    case .failure:
      wanted[pane] = nil
      work.completion(nil)
    }
    return nil
  }

  /// Reads all rows of a pane, and compares them with the remembered rows.
  private func compare(
    _ pane: Int,
    _ query: WatchedQuery,
    _ order: PaneView.Order,
    top: PaneMemory.Top?,
    in pool: DatabasePool
  ) -> Result<PaneComparison?, any Error> {
    var memory = takeMemory(pane, query) ?? PaneMemory(query: query)
    var orders = [order]
    if !memory.isReady, !order.filter.isEmpty {
      // All rows are remembered, not only rows with the text.
      orders.insert(PaneView.Order(sort: order.sort), at: 0)
    }
    return Result {
      var comparison: PaneComparison?
      for order in orders {
        var pass = memory.begin(order, top: top)
        do {
          while try read(&memory, &pass, in: pool) {}
        } catch {
          memory.abandon()
          memories[pane] = memory.isReady ? memory : nil
          throw error
        }
        comparison = workTime.measure { memory.end(pass) }
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
    let step = try pool.watchingRead { db in
      // Changes during the first read of the rows would not be found later. Rows in an order of
      // their own are sorted in each step, and can move.
      let isAtOnce = try !memory.isReady || pass.order.sort != nil || db.journalMode() == .wal
      return try workTime.measure {
        try memory.step(db, of: pass, limit: isAtOnce ? nil : Self.step)
      }
    }
    return workTime.measure { memory.note(step, &pass) }
  }

  /// Returns the memory of a query. It is not kept here, so that it can be changed without a copy.
  private func takeMemory(_ pane: Int, _ query: WatchedQuery) -> PaneMemory? {
    guard let memory = memories.removeValue(forKey: pane), memory.query == query else { return nil }
    return memory
  }

  /// Finds the next change of a pane. Its rows are read first if they are not remembered yet.
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
      if memories[index]?.query != query, let work = wanted[index], work.request.query == query,
        let interruption = perform(work, pane: index)
      {
        return completion(.failure(interruption))
      }
      guard var memory = takeMemory(index, query) else { return completion(.success(nil)) }
      let result = Result {
        try pool.watchingRead { try memory.search($0, view: view, from: top, forward: forward) }
          .map { memory.take($0) }
      }
      memories[index] = memory
      completion(result)
    }
  }
}
