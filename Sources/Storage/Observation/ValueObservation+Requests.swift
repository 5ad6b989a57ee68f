// What observations fetch with a request, as values: equal ones share a query, also with the keys of other
// modules.

/// All elements of a request, as what an observation fetches.
///
///     let leaders = AllElements(Player.filter { $0.score >= 1000 })
///     let observation = ValueObservation.tracking(leaders)
///     // SELECT * FROM "player" WHERE "score" >= 1000
public struct AllElements<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  /// The request.
  public let request: Request

  /// Makes an observation request for all elements of `request`.
  public init(_ request: Request) {
    self.request = request
  }

  /// Fetches all elements.
  public func fetch(_ db: Database) throws -> [Request.RowDecoder] { try request.fetchAll(db) }
}

/// The first element of a request, as what an observation fetches.
///
///     let best = FirstElement(Player.order(\.score.desc))
///     let observation = ValueObservation.tracking(best)
///     // SELECT * FROM "player" ORDER BY "score" DESC LIMIT 1
public struct FirstElement<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  /// The request.
  public let request: Request

  /// Makes an observation request for the first element of `request`.
  public init(_ request: Request) {
    self.request = request
  }

  /// Fetches the first element: `nil` when there is no row, or its value is NULL.
  public func fetch(_ db: Database) throws -> Request.RowDecoder? { try request.fetchOne(db) }
}

/// The number of rows of a request, as what an observation fetches.
///
///     let count = RowCount(Player.filter { $0.score >= 1000 })
///     let observation = ValueObservation.tracking(count)
///     // SELECT COUNT(*) FROM "player" WHERE "score" >= 1000
public struct RowCount<Request: FetchRequest & Hashable & Sendable>: ObservationRequest {
  /// The request.
  public let request: Request

  /// Makes an observation request for the number of rows of `request`.
  public init(_ request: Request) {
    self.request = request
  }

  /// Counts the rows.
  public func fetch(_ db: Database) throws -> Int { try request.fetchCount(db) }
}

extension ValueObservation {
  /// Observes all elements of a request.
  ///
  ///     let observation = ValueObservation.tracking(Player.filter { $0.score >= 1000 })
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  ///
  /// A request for rows with known keys is run again by changes of those rows only. Observations of equal
  /// requests to one database are one.
  ///
  /// - Parameter request: A request of any kind that is `Hashable` and `Sendable`, as those of this
  ///   library are.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation
  where Request.RowDecoder: Fetchable & Sendable, Value == [Request.RowDecoder] {
    tracking(AllElements(request))
  }

  /// Observes the first element of a request: `nil` while there is none.
  ///
  ///     let observation = ValueObservation.trackingOne(Player.filter(key: 1))
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// - Returns: An observation that has not been started.
  public static func trackingOne<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation
  where Request.RowDecoder: Fetchable & Sendable, Value == Request.RowDecoder? {
    tracking(FirstElement(request))
  }

  /// Observes the number of rows of a request.
  ///
  ///     let observation = ValueObservation.trackingCount(Player.filter { $0.score >= 1000 })
  ///     // SELECT COUNT(*) FROM "player" WHERE "score" >= 1000
  ///
  /// - Returns: An observation that has not been started.
  public static func trackingCount<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation where Value == Int {
    tracking(RowCount(request))
  }
}
