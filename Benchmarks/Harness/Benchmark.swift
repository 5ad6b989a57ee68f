/// One benchmark, and one line of the table: the same work done in two ways.
struct Benchmark: Sendable {
  let group: Group

  /// The measured work, as a sentence.
  let title: String

  /// How many operations a round contains: the table shows the time of one operation.
  let operations: Int

  /// The largest acceptable ratio of our time to the baseline's.
  let limit: Double

  /// A ratio that means a loss of speed, even on a busy machine; `nil` when no ratio does.
  let enforcedLimit: Double?

  /// Whether it runs on one core: see ``OneCore``.
  let isOnOneCore: Bool

  /// Creates the databases and both sides. Not measured.
  let prepare: @Sendable (Workspace) throws -> Contest

  init(
    _ group: Group,
    _ title: String,
    operations: Int = 1,
    limit: Double,
    enforcedLimit: Double? = nil,
    isOnOneCore: Bool = false,
    prepare: @escaping @Sendable (Workspace) throws -> Contest
  ) {
    self.group = group
    self.title = title
    self.operations = operations
    self.limit = limit
    self.enforcedLimit = enforcedLimit
    self.isOnOneCore = isOnOneCore
    self.prepare = prepare
  }

  /// Measures both sides `rounds` times, in a directory that is removed afterwards.
  ///
  /// - Throws: Any error of the work, or ``ChecksumMismatch`` when the sides have different
  ///   results.
  func compare(rounds: Int) throws -> Comparison {
    try withContest { contest in
      // The first round fills caches and compiles statements.
      _ = try contest.round(oursFirst: true)
      var comparison = Comparison()
      for number in 0..<rounds {
        // The order alternates, so that running first or second affects both sides equally.
        let round = try contest.round(oursFirst: number.isMultiple(of: 2))
        comparison.add(ours: round.ours / operations, baseline: round.baseline / operations)
      }
      return comparison
    }
  }

  /// Runs both sides once. Their times mean nothing, because nothing has filled the caches.
  ///
  /// - Throws: As ``compare(rounds:)`` does.
  func runOnce() throws {
    _ = try withContest { try $0.round(oursFirst: true) }
  }

  /// Prepares the benchmark in a directory that is removed afterwards, and passes it to `body`.
  private func withContest<Result>(_ body: (Contest) throws -> Result) throws -> Result {
    let workspace = try Workspace()
    defer { workspace.remove() }
    // The databases are closed when this returns, before their directory is removed.
    func run() throws -> Result { try body(prepare(workspace)) }
    return try isOnOneCore ? OneCore.run(run) : run()
  }
}
