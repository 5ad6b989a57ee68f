internal import CommandLineSupport
internal import Glibc
internal import Storage

/// `wellspring tail FILE TABLE`: the last rows of a table, and then each new one.
struct TailCommand: Subcommand, Equatable {
  static let name = "tail"
  static let summary = "prints the last rows of a table, and then each new row"
  static let help = """
    Usage:
      wellspring tail FILE TABLE [--since ROWID] [--where SQL] [OPTION]…

    Prints the last ten rows of a table in the order of their row ids, and then each
    row that is inserted with a higher row id, once. To resume, give the row id of
    the last row that was printed: the first column shows it when no column of the
    table does. Rows that get the ids of last rows are new ones, if the deletion of
    those was seen. When another file has replaced FILE, or TABLE was dropped and
    made again, its rows are printed from the first one on.

    Options:
      --since ROWID    start after this row id instead of ten rows before the end; 0
                       for all rows
      --where SQL      a condition on the rows
      --columns A,B    the columns to print
      --count N        end after N rows
      --format FORMAT  ndjson (one JSON object for each row, in a pipe), csv, line,
                       or table (on a terminal)

    Examples:
      wellspring tail app.sqlite log --where "level >= 3"
      wellspring tail app.sqlite job --since 4711 --format csv >> jobs.csv

    """
  static let syntax =
    ArgumentSyntax(options: ["since", "where", "columns", "count", "format"]) + WatchedFile.syntax

  let file: WatchedFile
  let table: String
  let options: TableOptions
  let since: Int64?
  let limit: Int?
  let format: OutputFormat?

  /// The number of rows that are printed at the start.
  private static let firstCount = 10

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    file = try WatchedFile(arguments, command: Self.name)
    guard positionals.count >= 2 else { throw UsageError("tail needs a TABLE") }
    guard positionals.count == 2 else { throw UsageError("tail takes one FILE and one TABLE") }
    table = positionals[1]
    try WatchedQuery.checkAreTables([table], command: Self.name)
    options = try TableOptions(arguments)
    since = try arguments.values["since"].map { text in
      guard let id = Int64(text) else { throw UsageError("--since needs a row id, not \(text)") }
      return id
    }
    limit = try StreamOptions.count(arguments)
    format = try arguments.values["format"].map { try .named($0) }
    if format == .json {
      throw UsageError("tail has no last row, so --format json is not possible")
    }
  }

  func run() throws {
    ProcessSignals.block()
    let format = format ?? .standard(isTerminal: isatty(STDOUT_FILENO) == 1)
    try Presenter.run(
      .lastRowID(of: table),
      of: file,
      awaiting: .table(table),
      showsReplacement: true,
      mustComplete: limit != nil
    ) { pool in
      var reader = TailReader(
        table: WatchedTable(name: table, options: options),
        pool: pool,
        since: since
      )
      do {
        try since == nil ? reader.skip(allBut: Self.firstCount) : reader.check()
      } catch {
        throw ToolError(file.message(for: error))
      }
      return TailDisplay(file: file, reader: reader, format: format, limit: limit)
    }
  }
}
