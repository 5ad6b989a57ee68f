/// An ``ObservationRequest`` for the number of rows of a fetch request.
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

extension RowCount: PatchableRequest {
  func makePatcher() -> (any ValuePatcher<Int>)? { ElementsPatcher(countOf: request) }
}
