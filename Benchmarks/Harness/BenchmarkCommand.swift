internal import CWellspringSQLite
internal import Foundation

/// The command: reads the arguments, and runs the benchmarks that they name.
enum BenchmarkCommand {
  /// Every benchmark, in the order of the table.
  static let benchmarks =
    FetchIntegers.benchmarks + FetchPlayers.benchmarks
    + InsertArguments.benchmarks + InsertRecords.benchmarks
    + OneRowTransactions.benchmarks
    + Delivery.benchmarks + UnrelatedObservations.benchmarks + BulkUpdate.benchmarks
    + SharedValue.benchmarks + StartingAndEnding.benchmarks + LargeResult.benchmarks
    + ExternalCommit.benchmarks + Unobserved.benchmarks

  /// Runs the command, and returns its exit code: 1 when a benchmark fails, 2 for arguments that
  /// mean nothing. A ratio over its limit is marked, and is no failure.
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
    for benchmark in selection {
      do {
        show(table.line(benchmark, try benchmark.compare(rounds: options.rounds)))
      } catch {
        show("\(benchmark.title): \(error)", on: .standardError)
        return 1
      }
    }
    return 0
  }

  /// Prints a line at once, also into a pipe.
  private static func show(_ line: String, on file: FileHandle = .standardOutput) {
    file.write(Data((line + "\n").utf8))
  }
}
