/// The values that several queries have fetched from one state of a database.
struct Moment: Equatable, Sendable {
  let values: [any Sendable]

  static func == (left: Moment, right: Moment) -> Bool {
    left.values.count == right.values.count
      && zip(left.values, right.values).allSatisfy { areEqual($0, $1) }
  }
}

/// A request that runs several queries in one state of the database.
struct MomentRequest: ObservationRequest {
  let queries: [MomentQuery]

  func fetch(_ db: Database) throws -> Moment {
    Moment(values: try queries.map { try $0.fetch(db) })
  }
}
