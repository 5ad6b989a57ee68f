import Storage

/// Something that queries can be run on: a connection of the library, or the reference.
protocol SQLSource {
  /// The rows of a query as text that tells all values apart, in an order of their own: SQL promises
  /// none.
  func rows(_ sql: String, _ arguments: [Int64]) throws -> [String]
}

extension SQLSource {
  func rows(_ sql: String) throws -> [String] { try rows(sql, []) }
}

/// What a query gives at some moment.
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
  func rows(_ sql: String, _ arguments: [Int64]) throws -> [String] {
    try Row.fetchAll(self, sql: sql, arguments: StatementArguments(arguments))
      .map { row in row.databaseValues.map(\.description).joined(separator: "|") }
      .sorted()
  }
}
