internal import CWellspringSQLite
internal import Foundation

/// The command: reads the arguments and runs the selected benchmarks.
enum BenchmarkCommand {
  /// Every benchmark, in the order of the table.
  static let benchmarks =
    FetchIntegers.benchmarks + FetchPlayers.benchmarks + BuildRequests.benchmarks
    + FetchAssociated.benchmarks
    + InsertArguments.benchmarks + InsertRecords.benchmarks
    + OneRowTransactions.benchmarks
    + InstrumentedWrites.benchmarks
    + Opening.benchmarks
    + Delivery.benchmarks + UnrelatedObservations.benchmarks + ObservedValues.benchmarks
    + Dashboard.benchmarks
    + BulkUpdate.benchmarks
    + SharedValue.benchmarks + ObservedRows.benchmarks + StartingAndEnding.benchmarks
    + LargeResult.benchmarks
    + ExternalCommit.benchmarks + IdleWatching.benchmarks + Unobserved.benchmarks
    + PatchedResults.benchmarks + PatchedJoins.benchmarks
    + PatchedSubqueries.benchmarks + PatchedGroups.benchmarks + PatchedAssociations.benchmarks
    + ForeignRows.benchmarks
    + OwnCommitLooks.benchmarks
    + WatchedTable.benchmarks + StreamedTable.benchmarks + RecordedCommits.benchmarks
    + ReplicatedWrites.benchmarks
    + PatchedResults.scale + UnrelatedObservations.scale

  /// How often a benchmark is run whose limit is enforced, before it counts as over that limit.
  private static let maximumAttempts = 4

  /// Runs the command and returns its exit code: 1 when a benchmark fails, 2 for invalid arguments,
  /// 3 when limits are enforced and a ratio is over ``Benchmark/enforcedLimit``. Otherwise a ratio
  /// over its limit is only marked.
  static func run(arguments: [String]) -> Int32 {
    switch arguments.first {
    case "many": return ManyCommand.run(arguments: Array(arguments.dropFirst()))
    case ManyMember.argument where arguments.count == 2: return ManyMember.run(path: arguments[1])
    case "latencies": return printLatencies()
    case "failovers": return FailoverCommand.run(arguments: Array(arguments.dropFirst()))
    case FailoverNode.argument where arguments.count > 2:
      return FailoverNode.run(path: arguments[1], endpoints: Array(arguments.dropFirst(2)))
    default: break
    }
    let options: Options
    do {
      options = try Options(arguments: arguments)
    } catch {
      show("\(error)\n\(Options.usage)", on: .standardError)
      return 2
    }
    if options.wantsHelp {
      show(Options.usage)
      return 0
    }
    let selection = benchmarks.filter(options.select)
    let table = Table(benchmarks: selection)
    guard !options.wantsList else {
      selection.forEach { show(table.listing($0)) }
      return 0
    }
    guard !options.runsOnce else { return runOnce(selection) }
    guard !options.wantsCSV else { return runForCSV(selection, rounds: options.rounds) }
    show("SQLite \(String(cString: sqlite3_libversion())), rounds: \(options.rounds)")
    #if DEBUG
      show("Built without optimization: these figures mean nothing. Run with -c release.")
    #endif
    Memory.keepFreed()
    if options.wantsProcessorTime { Stopwatch.measuresProcessorTime = true }
    show(table.header)
    var isOver = false
    let exitCode = forEach(selection) { benchmark in
      var comparison = try benchmark.compare(rounds: options.rounds)
      show(table.line(benchmark, comparison))
      // A result that other processes disturbed is not over its limit again and again.
      var attempts = 1
      let limit = options.enforcesLimits ? benchmark.enforcedLimit ?? .infinity : .infinity
      while comparison.ratio > limit, attempts < maximumAttempts {
        comparison = try benchmark.compare(rounds: options.rounds)
        show(table.line(benchmark, comparison))
        attempts += 1
      }
      if comparison.ratio > limit { isOver = true }
    }
    return exitCode == 0 && isOver ? 3 : exitCode
  }

  /// Runs `body` with each benchmark.
  ///
  /// - Returns: The exit code: 1 after an error, which ends the loop and is shown.
  private static func forEach(
    _ benchmarks: [Benchmark],
    _ body: (Benchmark) throws -> Void
  ) -> Int32 {
    for benchmark in benchmarks {
      do {
        try body(benchmark)
      } catch {
        show("\(benchmark.title): \(error)", on: .standardError)
        return 1
      }
    }
    return 0
  }

  private static func printLatencies() -> Int32 {
    do {
      try ExternalCommit.printLatencies()
      return 0
    } catch {
      show("\(error)", on: .standardError)
      return 1
    }
  }

  /// Runs each benchmark once, and prints its title afterwards.
  private static func runOnce(_ benchmarks: [Benchmark]) -> Int32 {
    forEach(benchmarks) { benchmark in
      try benchmark.runOnce()
      show(benchmark.title)
    }
  }

  /// Prints the results as comma-separated values, with times in seconds.
  private static func runForCSV(_ benchmarks: [Benchmark], rounds: Int) -> Int32 {
    Memory.keepFreed()
    show("group,benchmark,ours,baseline,ratio,lower,upper,limit")
    return forEach(benchmarks) { benchmark in
      let comparison = try benchmark.compare(rounds: rounds)
      let quartiles = comparison.quartiles
      let numbers = [
        comparison.ourTime, comparison.baselineTime, comparison.ratio, quartiles.lower,
        quartiles.upper, benchmark.limit,
      ]
      show(
        "\(benchmark.group.rawValue),\"\(benchmark.title)\","
          + numbers.map { "\($0)" }.joined(separator: ",")
      )
    }
  }

  /// Prints a line immediately, even into a pipe.
  private static func show(_ line: String, on file: FileHandle = .standardOutput) {
    file.write(Data((line + "\n").utf8))
  }
}
