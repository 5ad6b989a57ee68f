/// What a benchmark is about, and the name by which it is chosen.
enum Group: String, CaseIterable {
  case fetch
  case insert
  case write
  case observe
}

/// One line of the table: the same work done in two ways.
struct Benchmark: Sendable {
  let group: Group

  /// What is done, as a sentence.
  let title: String

  /// How many pieces of work a round holds: the table shows the time of one.
  let pieces: Int

  /// What the ratio of our time to the baseline's must not exceed.
  let limit: Double

  /// Makes the databases and both sides. Not measured.
  let prepare: @Sendable (Workspace) throws -> Contest

  init(
    _ group: Group,
    _ title: String,
    pieces: Int = 1,
    limit: Double,
    prepare: @escaping @Sendable (Workspace) throws -> Contest
  ) {
    self.group = group
    self.title = title
    self.pieces = pieces
    self.limit = limit
    self.prepare = prepare
  }

  /// Measures both sides `rounds` times, in a directory that is removed afterwards.
  ///
  /// - Throws: What the work throws, or ``ChecksumMismatch`` when the sides did not do the same.
  func compare(rounds: Int) throws -> Comparison {
    let workspace = try Workspace()
    defer { workspace.remove() }
    // In a function of its own, so that its databases are closed before their directory goes.
    return try compare(rounds: rounds, in: workspace)
  }

  private func compare(rounds: Int, in workspace: Workspace) throws -> Comparison {
    let contest = try prepare(workspace)
    // The first round warms caches and compiles statements.
    _ = try contest.round(oursFirst: true)
    var comparison = Comparison()
    for number in 0..<rounds {
      // Whatever going first or second does to a side, it does to both.
      let round = try contest.round(oursFirst: number.isMultiple(of: 2))
      comparison.add(ours: round.ours / pieces, baseline: round.baseline / pieces)
    }
    return comparison
  }
}
