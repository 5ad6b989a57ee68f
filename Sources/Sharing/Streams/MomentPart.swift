/// What a reader contributes to values of one moment: a query, and what is made of its value.
struct MomentPart<Value: Sendable>: Sendable {
  /// `nil` for a constant.
  let query: MomentQuery?
  /// Makes the value of what the query has fetched.
  let make: @Sendable (_ fetched: (any Sendable)?) -> Value

  init(query: MomentQuery?, make: @escaping @Sendable ((any Sendable)?) -> Value) {
    self.query = query
    self.make = make
  }

  init(constant: Value) {
    self.init(query: nil) { _ in constant }
  }

  func map<New: Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> MomentPart<New> {
    MomentPart<New>(query: query) { [make] in transform(make($0)) }
  }
}

/// A key whose value belongs to moments of a database.
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

/// A query of a ``FetchKey``, known by the key's identity.
struct MomentQuery: Hashable, Sendable {
  let id: FetchKeyID
  let database: any DatabaseReader
  let fetch: @Sendable (Database) throws -> any Sendable

  static func == (left: MomentQuery, right: MomentQuery) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Several queries that see one state of the database.
struct MomentRequest: ObservationRequest {
  let queries: [MomentQuery]

  func fetch(_ db: Database) throws -> Moment {
    Moment(values: try queries.map { try $0.fetch(db) })
  }
}

/// What several queries have fetched from one state of a database.
struct Moment: Equatable, Sendable {
  let values: [any Sendable]

  static func == (left: Moment, right: Moment) -> Bool {
    left.values.count == right.values.count
      && zip(left.values, right.values).allSatisfy { areEqual($0, $1) }
  }
}
