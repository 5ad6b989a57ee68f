internal import CommandLineSupport
internal import Storage

/// Which rows and columns of a table are shown, and in which order.
struct TableOptions: Equatable, Sendable {
  /// The names of the shown columns; `nil` for all columns.
  var columns: [String]?
  /// An SQL condition that the rows satisfy.
  var condition: String?
  /// The terms of an `ORDER BY` clause.
  var order: String?
  /// The number of rows that are shown, if it is limited.
  var limit: Int?

  /// The names of shown columns that identify a row, instead of the primary key.
  var key: [String]?

  /// The options of the command line that ``init(_:)`` reads.
  static let syntax = ArgumentSyntax(options: ["columns", "where", "order", "limit"])

  init() {}

  /// Reads the options of a command line.
  ///
  /// - Throws: ``UsageError`` for an invalid value.
  init(_ arguments: ParsedArguments) throws {
    condition = arguments.values["where"]
    order = arguments.values["order"]
    if let text = arguments.values["columns"] { columns = try Self.names(text, option: "columns") }
    if let text = arguments.values["limit"] {
      guard let limit = Int(text), limit >= 0 else {
        throw UsageError("--limit needs a number of rows, not \(text)")
      }
      self.limit = limit
    }
  }

  /// Splits names at their commas.
  static func names(_ text: String, option: String) throws -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard !names.contains("") else { throw UsageError("--\(option) needs names, not \(text)") }
    return names
  }

  /// The list after `SELECT`.
  var selection: String {
    columns.map { $0.map(\.quotedDatabaseIdentifier).joined(separator: ", ") } ?? "*"
  }

  /// The clauses after the name of the table.
  ///
  /// The condition stands on a line of its own, so that it can end with a comment.
  var clauses: String {
    var sql = ""
    if let condition { sql += " WHERE (\(condition)\n)" }
    if let order { sql += " ORDER BY \(order)\n" }
    if let limit { sql += " LIMIT \(limit)" }
    return sql
  }
}
