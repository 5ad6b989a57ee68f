internal import CommandLineSupport
internal import Glibc
internal import Storage

/// `wellspring query FILE TABLE` and `wellspring query FILE --sql SQL`: a result, once.
struct QueryCommand: Subcommand, Equatable {
  static let name = "query"
  static let summary = "prints a table or the result of a query, once"
  static let help = """
    Usage:
      wellspring query FILE TABLE [--where SQL] [--order SQL] [--limit N]
                                  [--columns A,B]
      wellspring query FILE --sql "SELECT …" [--arg VALUE]…

    Prints the rows of a table, a view, or one statement that reads. FILE is not
    changed.

    Options:
      --format FORMAT  table, line (each value on a line of its own, for many
                       columns), json, ndjson or csv; table on a terminal, otherwise
                       ndjson: one JSON object for each row, on a line of its own
      --where SQL      a condition on the rows of TABLE
      --order SQL      the order of the rows of TABLE, such as "price DESC, name"
      --limit N        the first N rows of TABLE
      --columns A,B    the columns of TABLE to print
      --sql SQL        the statement to run instead of reading a table
      --arg VALUE      the value of the next ? in SQL, or of :name with
                       --arg :name=VALUE. 5 and 5.5 are numbers, NULL is NULL, '5'
                       in quotes and all else, such as 05 and null, is text

    Examples:
      wellspring query shop.sqlite item --order "price DESC" --limit 10
      wellspring query shop.sqlite "SELECT * FROM item WHERE id = :id" --arg :id=5
      wellspring query shop.sqlite item --format csv > items.csv

    """
  static let syntax = ArgumentSyntax(options: ["format"]) + WatchedQuery.syntax + WatchedFile.syntax

  let file: WatchedFile
  let query: WatchedQuery
  let format: OutputFormat?

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    file = try WatchedFile(arguments, command: Self.name)
    guard positionals.count <= 2 else { throw UsageError("query takes one FILE and one TABLE") }
    if arguments.values["key"] != nil { throw UsageError("unknown option --key") }
    query = try WatchedQuery(text: positionals.dropFirst().first, arguments, command: Self.name)
    format = try arguments.values["format"].map { try .named($0) }
  }

  private func prepared(
    _ db: Database
  ) throws -> (statement: Statement, arguments: StatementArguments) {
    try Suggestion.improvingErrors(db) {
      let (sql, arguments) = try query.statement(db)
      return (try db.makeStatement(sql: sql), arguments)
    }
  }

  func run() throws {
    let format = format ?? .standard(isTerminal: isatty(STDOUT_FILENO) == 1)
    try file.read(for: [query]) { db in
      let (statement, arguments) = try prepared(db)
      try WatchedQuery.check(statement)
      var writer = format.makeWriter(columns: statement.columnNames, to: .standardOutput)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      while let row = try rows.next() { try writer.write(row.databaseValues) }
      try writer.finish()
    }
  }
}
