/// `DemoCLI watch FILE TABLE` and `DemoCLI watch FILE --sql SQL`.
struct WatchCommand: Subcommand, Equatable {
  static let syntax = ArgumentSyntax(flags: ["wait"], options: ["sql"])

  let file: WatchedFile
  let query: WatchedQuery
  let waitsForFile: Bool

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    guard let path = positionals.first, !path.isEmpty else {
      throw UsageError("watch needs a FILE")
    }
    file = WatchedFile(path: path)
    switch (arguments.values["sql"], positionals.count) {
    case (let sql?, 1): query = .sql(sql)
    case (_?, _): throw UsageError("watch takes a TABLE or --sql, not both")
    case (nil, 1): throw UsageError("watch needs a TABLE or --sql")
    case (nil, 2): query = .table(positionals[1])
    case (nil, _): throw UsageError("watch takes one FILE and one TABLE")
    }
    waitsForFile = arguments.flags.contains("wait")
  }

  func run() throws {
    ProcessSignals.block()
    try Watch(file: file, query: query, waitsForFile: waitsForFile, duration: nil).run()
  }
}
