internal import CWellspringSQLite
internal import Foundation

/// The command: reads the arguments and runs the selected benchmarks.
enum BenchmarkCommand {
  /// Every benchmark, in the order of the table.
  static let benchmarks =
    FetchIntegers.benchmarks + FetchPlayers.benchmarks + FetchAssociated.benchmarks
    + InsertArguments.benchmarks + InsertRecords.benchmarks
    + OneRowTransactions.benchmarks
    + InstrumentedWrites.benchmarks
    + Opening.benchmarks
    + Delivery.benchmarks + UnrelatedObservations.benchmarks + BulkUpdate.benchmarks
    + SharedValue.benchmarks + StartingAndEnding.benchmarks + LargeResult.benchmarks
    + ExternalCommit.benchmarks + Unobserved.benchmarks + PatchedResults.benchmarks
    + WatchedTable.benchmarks

  /// Runs the command and returns its exit code: 1 when a benchmark fails, 2 for invalid arguments,
  /// 3 when a ratio is over its limit and limits are enforced. Otherwise such a ratio is only
  /// marked.
  static func run(arguments: [String]) -> Int32 {
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
    show("SQLite \(String(cString: sqlite3_libversion())), rounds: \(options.rounds)")
    #if DEBUG
      show("Built without optimization: these figures mean nothing. Run with -c release.")
    #endif
    Memory.keepFreed()
    if options.wantsProcessorTime { Stopwatch.measuresProcessorTime = true }
    show(table.header)
    var exitCode: Int32 = 0
    for benchmark in selection {
      do {
        let comparison = try benchmark.compare(rounds: options.rounds)
        show(table.line(benchmark, comparison))
        if options.enforcesLimits, comparison.ratio > benchmark.limit { exitCode = 3 }
      } catch {
        show("\(benchmark.title): \(error)", on: .standardError)
        return 1
      }
    }
    return exitCode
  }

  /// Prints a line immediately, even into a pipe.
  private static func show(_ line: String, on file: FileHandle = .standardOutput) {
    file.write(Data((line + "\n").utf8))
  }
}
