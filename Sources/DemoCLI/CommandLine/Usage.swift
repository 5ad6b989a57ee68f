/// The text that `DemoCLI --help` prints.
enum Usage {
  static let text = """
    DemoCLI shows what is in a SQLite file, live, whichever process writes to it.
    The file is never changed, and never locked for longer than one read.

    Usage:
      DemoCLI watch FILE TABLE [--wait]
      DemoCLI watch FILE --sql "SELECT …" [--wait]
      DemoCLI demo [--seconds N]
      DemoCLI help

    watch shows a table, a view, or the result of one statement that reads. On a terminal the
    table is drawn in place, and marks the changes since the previous value:
      +  a new row    ~  a changed row, with its changed cells    -  a removed row
    Rows of a table are identified by primary key or row id; rows of --sql by all values.
    When standard output is not a terminal, each value is one line of JSON:
      {"number":12,"columns":["id","name"],"rows":[[1,"cup"],[2,null]]}
    A blob is {"base64":"…"}, an infinite number 1e999 or -1e999.

    demo creates a small shop database in a temporary directory, lets another process trade
    in it, and watches its items.

    Options:
      --sql SQL      the statement to watch instead of a table
      --wait         wait for FILE when it does not exist yet
      --seconds N    end the demo after N seconds
      --             the end of the options, for a table whose name starts with a dash
      -h, --help     show this text

    Ctrl-C ends the command. Exit codes: 0 success, 1 failure, 2 invalid arguments.
    Colours are off when the environment variable NO_COLOR is set.

    """
}
