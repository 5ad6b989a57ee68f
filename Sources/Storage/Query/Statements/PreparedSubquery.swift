/// The query of a request of any type, used as a subquery: it is the SQL of the statement that the
/// request prepares.
struct PreparedSubquery: Subquery {
  private let request: any FetchRequest
  /// The identity of the subquery if the request has no equality.
  private let identity = Identity()

  private final class Identity: Sendable {}

  init(_ request: some FetchRequest) {
    self.request = request
  }

  static func == (left: PreparedSubquery, right: PreparedSubquery) -> Bool {
    guard let request = left.request as? any Hashable else {
      return left.identity === right.identity
    }
    return AnyHashable(request) == (right.request as? any Hashable).map { AnyHashable($0) }
  }

  func hash(into hasher: inout Hasher) {
    guard let request = request as? any Hashable else {
      return hasher.combine(ObjectIdentifier(identity))
    }
    hasher.combine(request)
  }

  func write(to context: inout SQLContext) throws {
    // Without a schema, the SQL is for display only.
    guard let db = context.db else { return context.append("…") }
    let statement = try request.makePreparedRequest(db).statement
    try context.append(statement.sql, arguments: statement.arguments)
  }
}
