/// A numbered value of a watch.
struct WatchedValue: Equatable, Sendable {
  /// The number that the library assigned to the value.
  let number: UInt64
  let result: WatchedResult
}
