internal import CommandLineSupport
internal import Storage

/// `wellspring explain FILE QUERY`: the region that a watch of the query observes.
struct ExplainCommand: Subcommand, Equatable {
  static let name = "explain"
  static let summary = "prints what a query observes, and which writes would wake it"
  static let help = """
    Usage:
      wellspring explain FILE TABLE [--where SQL] [--order SQL] [--limit N]
                                    [--columns A,B]
      wellspring explain FILE --sql "SELECT …" [--arg VALUE]…

    Runs the query once, and prints the tables, columns and rows that an observation
    of it reads, the statements that it ran, SQLite's plan for them, and the writes
    that would wake the observation. Writes of other processes are known if the file
    has a write-ahead log; without it, each of them wakes the observation.

    Examples:
      wellspring explain shop.sqlite --sql "SELECT name FROM item WHERE price < 10"
      wellspring explain shop.sqlite item --where "id = 3"

    """
  static let syntax = WatchedQuery.syntax + WatchedFile.syntax

  let file: WatchedFile
  let query: WatchedQuery

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    file = try WatchedFile(arguments, command: Self.name)
    guard positionals.count <= 2 else { throw UsageError("explain takes one FILE and one QUERY") }
    query = try WatchedQuery(text: positionals.dropFirst().first, arguments, command: Self.name)
  }

  func run() throws {
    guard let pool = try file.open(for: [query]) else { return }
    let explanation = try QueryExplanation(query, pool: pool) { file.message(for: $0) }
    var output = BufferedOutput(.standardOutput)
    output.bytes += explanation.text.utf8
    try output.flush()
  }
}
