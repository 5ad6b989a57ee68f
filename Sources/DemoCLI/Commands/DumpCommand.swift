internal import Storage

/// `wellspring dump FILE [TABLE…]`: the file as SQL.
struct DumpCommand: Subcommand, Equatable {
  static let name = "dump"
  static let summary = "prints tables with their rows, as SQL that makes them again"
  static let help = """
    Usage:
      wellspring dump FILE [TABLE]…

    Prints SQL that creates the tables, or the named ones, with their rows, indexes, triggers and
    views. All rows are of one moment. Row ids that no column shows are not kept.

    Examples:
      wellspring dump shop.sqlite | sqlite3 copy.sqlite
      wellspring dump shop.sqlite item > item.sql

    """
  static let syntax = ArgumentSyntax()

  let file: WatchedFile
  let tables: [String]

  init(_ arguments: ParsedArguments) throws {
    guard let path = arguments.positionals.first, !path.isEmpty else {
      throw UsageError("dump needs a FILE")
    }
    file = WatchedFile(path: path)
    tables = Array(arguments.positionals.dropFirst())
  }

  func run() throws {
    try file.read { db in
      var dump = SQLDump(output: BufferedOutput(.standardOutput))
      try dump.write(FileSchema(db, tables: tables), db)
    }
  }
}
