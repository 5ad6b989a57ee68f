/// The error and the loading state of a reader.
struct LoadingStatus: Sendable {
  var error: (any Error)?
  var isLoading: Bool
}

/// The value of a reader and everything that loops need to know about it.
struct ReaderStatus<Value: Sendable>: Sendable {
  var value: Value
  /// How the value came about, if it was observed.
  var origin: ValueOrigin?
  /// The current error, or the one before the end.
  var error: (any Error)?
  /// The error after which no value and no error can follow.
  var finalError: (any Error)?
  /// Whether the value only stands in for a value that was not loaded yet.
  var isPlaceholder = false
  /// Whether the value may be unchanged although `valuePosition` has changed.
  var isDerived = false
  /// Changes with each value.
  var valuePosition = ReaderPosition()
  /// Changes with each value and each error, except the final error.
  var eventPosition = ReaderPosition()

  /// Whether no value and no error can follow.
  var isFinished: Bool { finalError != nil }

  /// Returns the same status with a transformed value.
  func map<New: Sendable>(_ transform: (Value) -> New) -> ReaderStatus<New> {
    ReaderStatus<New>(
      value: transform(value),
      error: error,
      finalError: finalError,
      isPlaceholder: isPlaceholder,
      isDerived: true,
      valuePosition: valuePosition,
      eventPosition: eventPosition
    )
  }
}

/// A position in the sequence of a reader's changes.
struct ReaderPosition: Equatable, Sendable {
  /// The number of changes of the source.
  var change: UInt64 = 0
  /// The replacement numbers of all readers between this one and the source.
  var switches: [UInt64] = []
}
