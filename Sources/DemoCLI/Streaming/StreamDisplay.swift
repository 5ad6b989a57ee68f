/// A display that writes values one after the other, and problems to standard error.
struct StreamDisplay: Display {
  /// The writer of each query.
  private var writers: [any ValueWriter]
  private let limit: Int?
  private let report: (String) -> Void
  /// The results with which the next ones are compared.
  private var previous: [WatchedResult?]
  private var writtenCount = 0
  /// The problems that were reported since the last value, which are not reported again.
  private var problems: Set<String> = []

  /// Creates a display, which is complete after `limit` values if there is a limit.
  init(
    writers: [any ValueWriter],
    limit: Int? = nil,
    report: @escaping (String) -> Void = Tool.complain
  ) {
    self.writers = writers
    self.limit = limit
    self.report = report
    previous = writers.map { _ in nil }
  }

  var isComplete: Bool { limit.map { writtenCount >= $0 } ?? false }
  var hasFailed: Bool { writers.contains { $0.hasFailed } }

  mutating func show(_ value: WatchedValue) throws {
    problems = []
    var hasWritten = false
    for (index, result) in value.results.enumerated() {
      // A commit need not change the results of all queries.
      if writers.count > 1, result == previous[index] { continue }
      if try write(WatchedValue(number: value.number, result: result), at: index) {
        hasWritten = true
      }
    }
    if hasWritten { writtenCount += 1 }
  }

  private mutating func write(_ value: WatchedValue, at index: Int) throws -> Bool {
    defer {
      if writers.count > 1 || writers[index].comparesValues { previous[index] = value.result }
    }
    guard try writers[index].write(value, since: previous[index]) else { return false }
    for other in writers.indices where other != index { writers[other].interrupt() }
    return true
  }

  mutating func show(problem: String) throws {
    if problems.insert(problem).inserted { report(problem) }
  }

  mutating func redraw() throws {}

  mutating func release() throws {}
}
