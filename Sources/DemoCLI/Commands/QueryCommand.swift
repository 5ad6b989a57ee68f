internal import Glibc
internal import Storage

/// `wellspring query FILE TABLE` and `wellspring query FILE --sql SQL`: a result, once.
struct QueryCommand: Subcommand, Equatable {
  static let name = "query"
  static let summary = "prints a table or the result of a query, once"
  static let help = """
    Usage:
      wellspring query FILE TABLE [--where SQL] [--order SQL] [--limit N] [--columns A,B]
      wellspring query FILE --sql "SELECT …" [--arg VALUE]…

    Prints the rows of a table, a view, or one statement that reads. FILE is not changed.

    Options:
      --format FORMAT  table, line (each value on a line of its own, for many columns), json, ndjson
                       or csv; table on a terminal, otherwise ndjson: one JSON object for each row,
                       on a line of its own
      --where SQL      a condition on the rows of TABLE
      --order SQL      the order of the rows of TABLE, such as "price DESC, name"
      --limit N        the first N rows of TABLE
      --columns A,B    the columns of TABLE to print
      --sql SQL        the statement to run instead of reading a table
      --arg VALUE      the value of the next ? in SQL, or of :name with --arg :name=VALUE.
                       5 and 5.5 are numbers, NULL is NULL, '5' in quotes and all else is text

    Examples:
      wellspring query shop.sqlite item --order "price DESC" --limit 10
      wellspring query shop.sqlite --sql "SELECT * FROM item WHERE name = :n" --arg :n=Teapot
      wellspring query shop.sqlite item --format csv > items.csv

    """
  static let syntax = ArgumentSyntax(options: ["format"]) + WatchedQuery.syntax

  let file: WatchedFile
  let query: WatchedQuery
  let format: OutputFormat?

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    guard let path = positionals.first, !path.isEmpty else {
      throw UsageError("query needs a FILE")
    }
    guard positionals.count <= 2 else { throw UsageError("query takes one FILE and one TABLE") }
    if arguments.values["key"] != nil { throw UsageError("unknown option --key") }
    file = WatchedFile(path: path)
    query = try WatchedQuery(table: positionals.dropFirst().first, arguments, command: Self.name)
    format = try arguments.values["format"].map { try .named($0) }
  }

  func run() throws {
    let format = format ?? .standard(isTerminal: isatty(STDOUT_FILENO) == 1)
    try file.read { db in
      let (sql, arguments) = try query.statement(db)
      let statement = try db.makeStatement(sql: sql)
      try WatchedQuery.check(statement)
      var writer = format.makeWriter(columns: statement.columnNames, to: .standardOutput)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      while let row = try rows.next() { try writer.write(row.databaseValues) }
      try writer.finish()
    }
  }
}
