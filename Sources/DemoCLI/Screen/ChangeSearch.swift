internal import Dispatch
internal import Storage

/// Searches large results for changes, on a queue of its own.
final class ChangeSearch: @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed on `queue`.

  private let queue = DispatchQueue(label: "DemoCLI.search")
  /// What is remembered of large results, by the index of their pane.
  private var memories: [Int: PaneMemory] = [:]

  /// Remembers the rows of a pane, unless they are remembered already.
  func remember(_ query: WatchedQuery, pane: Int, in pool: DatabasePool) {
    queue.async { [self] in
      guard memories[pane]?.query != query else { return }
      var memory = PaneMemory(query: query)
      memories[pane] = memory
      // The pane shows the error of a query that fails.
      guard (try? pool.read { try memory.remember($0) }) != nil else {
        memories[pane] = nil
        return
      }
      memories[pane] = memory
    }
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
      guard var memory = memories[index], memory.query == query else {
        return completion(.success(nil))
      }
      completion(
        Result {
          try pool.read { try memory.next($0, view: view, from: top, forward: forward) }
        }
      )
      memories[index] = memory
    }
  }
}
