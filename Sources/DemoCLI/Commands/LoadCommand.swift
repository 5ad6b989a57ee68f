internal import CommandLineSupport

/// `wellspring load FILE`: writes as fast as asked, and measures.
struct LoadCommand: Subcommand, Equatable {
  static let name = "load"
  static let summary = "writes to a file as fast as asked, and prints how long it took"
  static let help = """
    Usage:
      wellspring load FILE [--seconds N] [--writers N] [--rate N] [--watchers N]

    Writes one row in each transaction to a table of its own, wellspring_load, and
    drops the table at the end. FILE is made if it does not exist. It is in WAL mode
    meanwhile, and in its own mode afterwards. Prints percentiles and a histogram of
    the times from the begin of a transaction to the end of its commit, and to the
    value that shows it to an observation in the same process.

    Options:
      --seconds N   how long to write, 5 seconds without it
      --writers N   the number of threads that write, 1 without it
      --rate N      the transactions that all writers start in a second; without it,
                    as many as possible
      --watchers N  the number of observations of the table, 1 without it

    Examples:
      wellspring load /tmp/load.sqlite
      wellspring load /tmp/load.sqlite --rate 1000 --writers 4 --seconds 30

    """
  static let syntax = LoadOptions.syntax

  let path: String
  let options: LoadOptions

  init(_ arguments: ParsedArguments) throws {
    guard let path = arguments.positionals.first, !path.isEmpty else {
      throw UsageError("load needs a FILE")
    }
    guard arguments.positionals.count == 1 else { throw UsageError("load takes one FILE") }
    self.path = path
    options = try LoadOptions(arguments)
  }

  func run() throws {
    ProcessSignals.block()
    let ending = Ending()
    let signals = ProcessSignals { if $0 == .end { ending.end(.requested) } }
    var bar = ProgressBar()
    defer { bar.clear() }
    try withExtendedLifetime(signals) {
      do {
        let report = try Load(path: path, options: options).run(ending: ending) { share, count in
          bar.show(share, "\(count) commits")
        }
        bar.clear()
        try Output.standardOutput.write(report.text)
      } catch let error as Output.Failure {
        throw error
      } catch {
        throw ToolError(WatchedFile(path: path).message(for: error))
      }
    }
  }
}
