/// An ``ObservationRequest`` for all elements of a fetch request.
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

extension AllElements: PatchableRequest {
  func makePatcher() -> (any ValuePatcher<[Request.RowDecoder]>)? {
    ElementsPatcher(all: request)
  }
}
