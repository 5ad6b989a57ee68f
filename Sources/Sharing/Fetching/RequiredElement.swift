/// A request for the first element of another request.
///
/// Without an element, the result is `nil` if the type is optional. Otherwise fetching throws
/// ``NotFound``.
struct RequiredElement<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  let request: Request

  func fetch(_ db: Database) throws -> Request.RowDecoder {
    if let element = try request.fetchOne(db) { return element }
    guard let optional = Request.RowDecoder.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Request.RowDecoder
    else {
      throw NotFound(sql: try request.makePreparedRequest(db).statement.sql)
    }
    return none
  }
}
