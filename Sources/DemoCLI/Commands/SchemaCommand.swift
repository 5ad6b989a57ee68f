internal import Storage

/// `wellspring schema FILE [TABLE…] [--swift]`.
struct SchemaCommand: Subcommand, Equatable {
  static let name = "schema"
  static let summary = "prints the schema, as SQL or as Swift record types"
  static let help = """
    Usage:
      wellspring schema FILE [TABLE]… [--swift]

    Prints the statements that create the tables, or the named ones, with their indexes, triggers and
    views.

    Options:
      --swift        print a record type for each table and view, with its Columns

    Examples:
      wellspring schema shop.sqlite
      wellspring schema shop.sqlite item --swift > Sources/Shop/Item.swift

    """
  static let syntax = ArgumentSyntax(flags: ["swift"])

  let file: WatchedFile
  let tables: [String]
  let isSwift: Bool

  init(_ arguments: ParsedArguments) throws {
    guard let path = arguments.positionals.first, !path.isEmpty else {
      throw UsageError("schema needs a FILE")
    }
    file = WatchedFile(path: path)
    tables = Array(arguments.positionals.dropFirst())
    isSwift = arguments.flags.contains("swift")
  }

  func run() throws {
    try file.read { db in
      let schema = try FileSchema(db, tables: tables)
      try Output.standardOutput.write(isSwift ? swift(schema, db) : sql(schema))
    }
  }

  private func sql(_ schema: FileSchema) -> String {
    schema.objects.compactMap { $0.statement.map { "\($0)\n" } }.joined()
  }

  private func swift(_ schema: FileSchema, _ db: Database) throws -> String {
    // A migrator's own table is no record, unless it is asked for.
    let migrations = tables.isEmpty ? ["wellspring_migrations", "grdb_migrations"] : []
    let records = try schema.objects
      .filter { ($0.kind == .table || $0.kind == .view) && !migrations.contains($0.name) }
      .map { try SwiftRecord($0, db).code }
    return "import Foundation\nimport Storage\n\n" + records.joined(separator: "\n")
  }
}
