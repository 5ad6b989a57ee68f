/// A display that writes each value as one line of JSON, and problems to standard error.
struct JSONDisplay: Display {
  private let output: Output
  private let report: (String) -> Void
  /// The problems that were reported since the last value, which are not reported again.
  private var problems: Set<String> = []

  init(
    output: Output = .standardOutput,
    report: @escaping (String) -> Void = Tool.complain
  ) {
    self.output = output
    self.report = report
  }

  mutating func show(_ value: WatchedValue) throws {
    problems = []
    try output.write(JSONLine.encode(value))
  }

  mutating func show(problem: String) throws {
    if problems.insert(problem).inserted { report(problem) }
  }

  mutating func redraw() throws {}

  mutating func release() throws {}
}
