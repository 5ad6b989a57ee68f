internal import CommandLineSupport
internal import Storage

/// `wellspring dump FILE [TABLE…]`: the file as SQL.
struct DumpCommand: Subcommand, Equatable {
  static let name = "dump"
  static let summary = "prints tables with their rows, as SQL that makes them again"
  static let help = """
    Usage:
      wellspring dump FILE [TABLE]…

    Prints SQL that creates the tables, or the named ones, with their rows, indexes,
    triggers and views. All rows are of one moment. Row ids that no column shows are
    not kept.

    Examples:
      wellspring dump shop.sqlite | sqlite3 copy.sqlite
      wellspring dump shop.sqlite item > item.sql

    """
  static let syntax = WatchedFile.syntax

  let file: WatchedFile
  let tables: [String]

  init(_ arguments: ParsedArguments) throws {
    file = try WatchedFile(arguments, command: Self.name)
    tables = Array(arguments.positionals.dropFirst())
    try WatchedQuery.checkAreTables(tables, command: Self.name)
  }

  func run() throws {
    try file.read(for: tables.map { .table($0) }) { db in
      var dump = SQLDump(output: BufferedOutput(.standardOutput))
      try dump.write(FileSchema(db, tables: tables), db)
    }
  }
}
