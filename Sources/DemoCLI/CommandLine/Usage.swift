/// What `DemoCLI --help` prints.
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
    table is drawn in place, and marks what is new since the value before:
      +  a new row    ~  a changed row, with its changed cells    -  a row that is gone
    Rows of a table are told apart by primary key or row id; those of --sql as a whole.
    When standard output is no terminal, each value is one line of JSON:
      {"number":12,"columns":["id","name"],"rows":[[1,"cup"],[2,null]]}
    A blob is {"base64":"…"}, an infinite number 1e999 or -1e999.

    demo makes a small shop database in a temporary directory, lets another process trade in
    it, and watches that.

    Options:
      --sql SQL      the statement to watch in place of a table
      --wait         wait for FILE when it does not exist yet
      --seconds N    end the demo after N seconds
      --             what follows are no options: for a table whose name begins with a dash
      -h, --help     show this text

    Ctrl-C ends. Exit codes: 0 ended as asked, 1 something failed, 2 wrong arguments.
    Colours are off when the environment variable NO_COLOR is set.

    """
}
