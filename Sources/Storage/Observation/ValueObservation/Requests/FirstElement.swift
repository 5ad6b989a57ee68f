/// An ``ObservationRequest`` for the first element of a fetch request.
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

extension FirstElement: SingleElementRequest {
  package static func value(of element: Request.RowDecoder?) -> Request.RowDecoder?? { element }
}
