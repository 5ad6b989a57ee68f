/// The position of a loop in the sequence of a reader's changes.
///
/// It keeps the observation of the reader's key running.
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

  /// Waits for a status that is new to the loop.
  ///
  /// - Returns: `nil` when no further status follows, or the task is cancelled.
  func next(
    isolation: isolated (any Actor)?,
    where isNew: (ReaderStatus<Value>) -> Bool
  ) async -> ReaderStatus<Value>? {
    while !Task.isCancelled {
      let status = box.status()
      if isNew(status) { return status }
      if status.isFinished { return nil }
      await wakeup.wait(isolation: isolation)
    }
    return nil
  }
}
