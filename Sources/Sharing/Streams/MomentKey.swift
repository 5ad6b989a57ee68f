/// A key whose values belong to moments of a database.
protocol MomentKey {
  func momentPart<Value: Sendable>(as type: Value.Type) throws -> MomentPart<Value>
}

extension FetchKey: MomentKey {
  func momentPart<Other: Sendable>(as type: Other.Type) throws -> MomentPart<Other> {
    guard let database else { throw NoDefaultDatabase() }
    let query = MomentQuery(id: id, database: database) { [request] db in try request.fetch(db) }
    return MomentPart<Other>(query: query) { fetched in
      guard let value = fetched as? Other else { preconditionFailure("A key has one type.") }
      return value
    }
  }
}
