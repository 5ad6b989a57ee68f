internal import CommandLineSupport
internal import Storage

/// `wellspring schema FILE [TABLE…] [--swift]`.
struct SchemaCommand: Subcommand, Equatable {
  static let name = "schema"
  static let summary = "prints the schema, as SQL or as Swift record types"
  static let help = """
    Usage:
      wellspring schema FILE [TABLE]… [--swift]

    Prints the statements that create the tables, or the named ones, with their
    indexes, triggers and views.

    Options:
      --swift        print a record type for each table and view; a view that cannot
                     be read is named instead

    Examples:
      wellspring schema shop.sqlite
      wellspring schema shop.sqlite item --swift > Sources/Shop/Item.swift

    """
  static let syntax = ArgumentSyntax(flags: ["swift"]) + WatchedFile.syntax

  let file: WatchedFile
  let tables: [String]
  let isSwift: Bool

  init(_ arguments: ParsedArguments) throws {
    file = try WatchedFile(arguments, command: Self.name)
    tables = Array(arguments.positionals.dropFirst())
    try WatchedQuery.checkAreTables(tables, command: Self.name)
    isSwift = arguments.flags.contains("swift")
  }

  func run() throws {
    try file.read(for: tables.map { .table($0) }) { db in
      let schema = try FileSchema(db, tables: tables)
      let text = try isSwift ? swift(schema, db) : sql(schema)
      var output = BufferedOutput(.standardOutput)
      output.bytes += text.utf8
      try output.flush()
    }
  }

  private func sql(_ schema: FileSchema) -> String {
    schema.objects.compactMap { $0.statement.map { "\($0)\n" } }.joined()
  }

  func swift(_ schema: FileSchema, _ db: Database) throws -> String {
    // A migrator's own table is not a record, unless it is asked for.
    let migrations = tables.isEmpty ? ["wellspring_migrations", "grdb_migrations"] : []
    let objects = schema.objects.filter {
      ($0.kind == .table || $0.kind == .view) && !migrations.contains($0.name)
    }
    let names = SwiftName.unique(objects.map { ($0.name, SwiftName.typeName($0.name)) })
    let records = try zip(objects, names).map { object, name in
      do {
        return try SwiftRecord(object, typeName: name, db).code
      } catch {
        let reason = ErrorMessage.text(for: error)
        let problem = "the \(object.kind.rawValue) \(object.name) cannot be read: \(reason)"
        // Asked for by its name, it is all that is wanted.
        guard tables.isEmpty else { throw ToolError(problem) }
        Tool.complain("\(file.path): \(problem)")
        return "// No record for the \(object.kind.rawValue) \(SwiftName.literal(object.name)): "
          + "\(SwiftName.literal(reason))\n"
      }
    }
    return "import Foundation\nimport Storage\n\n" + records.joined(separator: "\n")
  }
}
