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
    let workspace = try Workspace()
    defer { workspace.remove() }
    // A separate function, so that the databases are closed before their directory is removed.
    guard isOnOneCore else { return try compare(rounds: rounds, in: workspace) }
    return try OneCore.run { try compare(rounds: rounds, in: workspace) }
  }

  private func compare(rounds: Int, in workspace: Workspace) throws -> Comparison {
    let contest = try prepare(workspace)
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
