/// A numbered value of a watch.
struct WatchedValue: Equatable, Sendable {
  /// The number that the library assigned to the value.
  let number: UInt64
  /// The results of all watched queries, of one moment.
  let results: [WatchedResult]

  init(number: UInt64, results: [WatchedResult]) {
    self.number = number
    self.results = results
  }

  init(number: UInt64, result: WatchedResult) {
    self.init(number: number, results: [result])
  }

  /// The result of the only query, or of the first one.
  var result: WatchedResult { results[0] }
}
