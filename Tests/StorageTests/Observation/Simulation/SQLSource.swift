import Storage

/// A connection that runs queries: one of the library, or the reference connection.
protocol SQLSource {
  /// The rows of a query as text that distinguishes all values.
  func orderedRows(_ sql: String, _ arguments: [Int64]) throws -> [String]

  /// The rows of a query with associated rows.
  func rows(_ query: AssociatedQuery) throws -> [String]
}

extension SQLSource {
  /// The rows of a query, sorted as text: SQL promises no order to most queries.
  func rows(_ sql: String, _ arguments: [Int64]) throws -> [String] {
    try orderedRows(sql, arguments).sorted()
  }

  func rows(_ sql: String) throws -> [String] { try rows(sql, []) }
}

/// The result of a query at some moment.
enum Outcome: Hashable, Sendable {
  case rows([String])
  case failure(String)

  init(_ error: any Error) {
    self = .failure((error as? DatabaseError)?.message ?? "\(error)")
  }
}

extension Outcome: CustomStringConvertible {
  var description: String {
    switch self {
    case .rows(let rows): "\(rows)"
    case .failure(let message): "error: \(message)"
    }
  }
}

extension Database: SQLSource {
  func orderedRows(_ sql: String, _ arguments: [Int64]) throws -> [String] {
    try Row.fetchAll(self, sql: sql, arguments: StatementArguments(arguments)).map(\.asText)
  }
}

extension Row {
  var asText: String { databaseValues.map(\.description).joined(separator: "|") }
}
