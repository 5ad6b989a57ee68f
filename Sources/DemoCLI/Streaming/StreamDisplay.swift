/// A display that writes values one after the other, and problems to standard error.
struct StreamDisplay: Display {
  private var writer: any ValueWriter
  private let limit: Int?
  private let report: (String) -> Void
  /// The value with which the next one is compared.
  private var previous: WatchedResult?
  private var writtenCount = 0
  /// The problems that were reported since the last value, which are not reported again.
  private var problems: Set<String> = []

  /// Creates a display, which is complete after `limit` values if there is a limit.
  init(
    writer: any ValueWriter,
    limit: Int? = nil,
    report: @escaping (String) -> Void = Tool.complain
  ) {
    self.writer = writer
    self.limit = limit
    self.report = report
  }

  var isComplete: Bool { limit.map { writtenCount >= $0 } ?? false }

  mutating func show(_ value: WatchedValue) throws {
    problems = []
    if try writer.write(value, since: previous) { writtenCount += 1 }
    if writer.comparesValues { previous = value.result }
  }

  mutating func show(problem: String) throws {
    if problems.insert(problem).inserted { report(problem) }
  }

  mutating func redraw() throws {}

  mutating func release() throws {}
}
