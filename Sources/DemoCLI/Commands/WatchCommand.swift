internal import CommandLineSupport

/// `wellspring watch FILE TABLE` and `wellspring watch FILE --sql SQL`.
struct WatchCommand: Subcommand, Equatable {
  static let name = "watch"
  static let summary = "shows a table or the result of a query, live"
  static let help = """
    Usage:
      wellspring watch FILE [TABLE]… [--sql "SELECT …"]… [OPTION]…
      wellspring watch FILE TABLE [--where SQL] [--order SQL] [OPTION]…
      wellspring watch FILE --sql "SELECT …" [--arg VALUE]… [OPTION]…

    Without a TABLE, shows the tables and views of FILE with their numbers of rows;
    enter shows one of them, and escape goes back. Shows tables, views, and the
    results of statements that read, and shows them again after each commit that
    changes them, whichever process commits. On a terminal they are drawn in place,
    one below the other, and show the changes since the previous value:
      +  a new row    ~  a changed row, with its changed cells    -  a removed row
    Keys: arrows scroll rows and columns, n jumps to the next change, s sorts,
    / filters, enter shows one row with all its columns, p pauses, tab goes to the
    next table, ? shows all keys, q quits. At the end of a table new rows are
    followed; elsewhere the row at the top stays. Of more than 2,000 rows only what
    fits the window is fetched. Changes of other rows are counted above and below:
    at once if the log of the file names them, else when all rows were compared.
    Rows of a table are identified by primary key or row id, rows of views and of
    SQL by --key; without it, by what has stayed equal in them.
    When standard output is not a terminal, each value is one line of JSON:
      {"number":12,"columns":["id","name"],"rows":[{"id":1,"name":"cup"}]}
    A blob is {"base64":"…"}, an infinite number 1e999 or -1e999. Of several
    queries, each value is of one moment, only the results that have changed are
    written, and each line, row or heading has the name of its query first:
    {"query":"item","number":12,…}

    Options:
      --where SQL      a condition on the rows of TABLE
      --order SQL      the order of the rows of TABLE, such as "price DESC, name"
      --limit N        the first N rows of TABLE
      --columns A,B    the columns of TABLE to show
      --sql SQL        the statement to watch instead of a table
      --arg VALUE      the value of the next ? in SQL, or of :name with
                       --arg :name=VALUE
      --key A,B        the columns of a view or of SQL that identify a row
      --wait           wait for FILE, and then for TABLE, when it does not exist yet
      --immutable      read FILE without locks, such as on a read-only file system
      --once           end after the first value
      --count N        end after N values
      --changes        write only the rows that are inserted, updated or removed
                       after the first value, with the time in UTC and the number of
                       the commit
      --format FORMAT  json: a line for each value. ndjson: a line for each row.
                       csv, table, line: all rows of each value. diff: removed and
                       added rows. Without it, json in a pipe, with --changes
                       ndjson; on a terminal drawn in place, with --once table

    Examples:
      wellspring watch shop.sqlite item --where "stock < 5" --order stock
      wellspring watch shop.sqlite "SELECT * FROM item WHERE price < ?" --arg 10
      wellspring watch shop.sqlite item | jq --unbuffered '.rows[].name'
      wellspring watch shop.sqlite item --changes | jq --unbuffered .row.name
      wellspring watch shop.sqlite item --changes --count 1 && make

    """
  static let syntax =
    ArgumentSyntax(lists: ["sql"]) + StreamOptions.syntax + WatchedQuery.syntax
    + WatchedFile.syntax

  let file: WatchedFile
  let queries: [WatchedQuery]
  let stream: StreamOptions?

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    file = try WatchedFile(arguments, command: Self.name)
    queries = try WatchedQuery.several(tables: positionals.dropFirst(), arguments)
    stream = try .named(arguments)
  }

  func run() throws {
    ProcessSignals.block()
    try Watch(file: file, queries: queries, stream: stream).run()
  }
}
