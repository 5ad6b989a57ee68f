/// What a reader shows: the value of a key, of another reader, or a constant.
protocol ReaderSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// The value. The standard library's Observation is told that it is read.
  func read() -> Value

  /// What concerns loading. The standard library's Observation is told that it is read.
  func readLoading() -> LoadingStatus

  /// All of it, of one moment, for loops. Observation is told nothing.
  func status() -> ReaderStatus<Value>

  /// Adds someone who is woken after each change. It calls nothing foreign.
  func add(_ wakeup: Wakeup)
  func remove(_ wakeup: Wakeup)

  /// Tells Observation that a reader of this source shows another one now.
  func didLeave()

  func load() async throws

  /// What ``values(of:)`` fetches for it.
  func momentPart() throws -> MomentPart<Value>
}

struct LoadingStatus: Sendable {
  var error: (any Error)?
  var isLoading: Bool
}

struct ReaderStatus<Value: Sendable>: Sendable {
  var value: Value
  var error: (any Error)?
  /// Whether the value is no one yet that was loaded, but stands for it.
  var isPlaceholder = false
  /// Whether nothing can follow.
  var isFinished = false
  /// Whether a change of `valuePosition` may have left the value as it is.
  var isDerived = false
  /// Is another one with each value.
  var valuePosition = ReaderPosition()
  /// Is another one with each value and each error.
  var eventPosition = ReaderPosition()

  /// The same status with another value.
  func map<New: Sendable>(_ transform: (Value) -> New) -> ReaderStatus<New> {
    ReaderStatus<New>(
      value: transform(value),
      error: error,
      isPlaceholder: isPlaceholder,
      isFinished: isFinished,
      isDerived: true,
      valuePosition: valuePosition,
      eventPosition: eventPosition
    )
  }
}

/// Where a reader stands in the course of its changes.
struct ReaderPosition: Equatable, Sendable {
  /// The changes of its source.
  var change: UInt64 = 0
  /// One for each reader on the way to the source that has come to show another source.
  var switches: [UInt64] = []
}
