internal import Dispatch
internal import Storage

extension ScreenPresenter {
  /// Carries out the effect of a key.
  func handle(_ key: Key) {
    guard !isFinished else { return }
    guard hasShownRows else {
      // Something is waited for, or the first rows are fetched.
      if key == .character("q") { ending.end(.requested) }
      return
    }
    let wasPaused = screen.isPaused
    if screen.panes[screen.focus].isSearching { pool?.interrupt() }
    let queries = screen.panes.map(\.query)
    let effect = screen.handle(key)
    for index in queries.indices where screen.panes[index].query != queries[index] {
      // A table that was opened or closed.
      search.forget(pane: index)
    }
    switch effect {
    case .nothing: break
    case .draw: draw()
    case .fetch where wasPaused && !screen.isPaused:
      nextFrame = .now()
      observation?.cancel()
      observation = nil
      scheduleFrame()
      draw()
    case .fetch:
      fetch([screen.focus], isSameView: false)
      draw()
    case .search(let forward): findChange(forward: forward)
    case .end: ending.end(.requested)
    }
  }

  /// Searches for the next change of the focused pane, and shows it.
  private func findChange(forward: Bool) {
    let index = screen.focus
    guard let pool, !screen.panes[index].isSearching else { return }
    screen.panes[index].isSearching = true
    draw()
    noteNamedRows(index, areNeeded: true)
    let pane = screen.panes[index]
    search.next(pane, at: index, forward: forward, in: pool) { [self] result in
      queue.async { [self] in
        screen.panes[index].isSearching = false
        switch result {
        case .success(let row?):
          screen.panes[index].jump(to: row)
          fetch([index], isSameView: false)
        case .success(nil): break
        // The next key has interrupted the search.
        case .failure(let error) where Self.isInterruption(error): break
        case .failure(let error):
          screen.panes[index].problem = "\(ClockTime.now()) \(file.message(for: error))"
        }
        draw()
      }
    }
  }
}
