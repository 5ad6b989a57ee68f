/// Writes the values of a watch one after the other.
protocol ValueWriter {
  /// Whether ``write(_:since:)`` needs the previous value.
  var comparesValues: Bool { get }

  /// Whether the action for the last value has failed, and was reported.
  var hasFailed: Bool { get }

  /// Writes a value, completely.
  ///
  /// - Returns: Whether anything was written.
  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool

  /// Takes note that another query has written since.
  mutating func interrupt()
}

extension ValueWriter {
  var hasFailed: Bool { false }

  mutating func interrupt() {}
}
