/// A loop's place in the course of a reader's changes. It keeps the reader's value alive.
final class ReaderCursor<Value: Sendable>: Sendable {
  let box: ReaderBox<Value>
  let wakeup = Wakeup()

  init(_ box: ReaderBox<Value>) {
    self.box = box
    box.add(wakeup)
  }

  deinit {
    box.remove(wakeup)
  }

  /// The next status that the closure takes; `nil` when there is none any more, or the task is
  /// cancelled.
  func next(
    isolation: isolated (any Actor)?,
    where isNews: (ReaderStatus<Value>) -> Bool
  ) async -> ReaderStatus<Value>? {
    while !Task.isCancelled {
      let status = box.status()
      if isNews(status) { return status }
      if status.isFinished { return nil }
      await wakeup.wait(isolation: isolation)
    }
    return nil
  }
}
