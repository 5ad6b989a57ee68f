internal import CommandLineSupport
internal import FoundationEssentials

/// `wellspring demo`: watches a shop in which another process trades.
struct DemoCommand: Subcommand, Equatable {
  static let name = "demo"
  static let summary = "watches a small shop in which another process trades"
  static let help = """
    Usage:
      wellspring demo [--seconds N]

    Creates a small shop database in a temporary directory, lets another process
    trade in it, and watches its items.

    Options:
      --seconds N    end the demo after N seconds

    Examples:
      wellspring demo
      wellspring demo --seconds 30 | jq --unbuffered '.rows[].name'

    """
  static let syntax = ArgumentSyntax(options: ["seconds"])

  /// The number of seconds after which the demo ends; `nil` if it runs until it is interrupted.
  let duration: Double?

  init(_ arguments: ParsedArguments) throws {
    if let extra = arguments.positionals.first {
      throw UsageError("demo takes no argument \(extra)")
    }
    duration = try arguments.values["seconds"].map { text in
      guard let seconds = Double(text), seconds > 0, seconds <= Self.longestDuration else {
        throw UsageError("--seconds needs a positive number, not \(text)")
      }
      return seconds
    }
  }

  func run() throws {
    ProcessSignals.block()
    let directory = try TemporaryDirectory(prefix: "wellspring-demo")
    defer { directory.remove() }
    let path = directory.path + "/shop.sqlite"
    try Shop.create(at: path)
    let writer = try ChildProcess(ownSubcommand: DemoWriterCommand.name, arguments: [path])
    defer { writer.terminate() }
    try Watch(
      file: WatchedFile(path: path),
      queries: [.table("item")],
      duration: duration
    ).run()
  }

  /// One year, in seconds: a bound that keeps deadlines computable.
  private static let longestDuration = 365.0 * 24 * 60 * 60
}
