/// The source of a reader's value: a key, another reader, or a constant.
protocol ReaderSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Returns the value, and registers the read with the standard library's Observation.
  func read() -> Value

  /// Returns the loading status, and registers the read with the standard library's Observation.
  func readLoading() -> LoadingStatus

  /// Returns a consistent status for loops, without registering a read with Observation.
  func status() -> ReaderStatus<Value>

  /// Adds a wakeup, which is woken after each change. Calls no foreign code.
  func add(_ wakeup: Wakeup)
  /// Removes a wakeup. Calls no foreign code.
  func remove(_ wakeup: Wakeup)

  /// Notifies Observation that a reader of this source now shows another source.
  func didLeave()

  func load() async throws

  /// Returns the part that ``values(of:)`` must fetch for this source.
  func momentPart() throws -> MomentPart<Value>
}
