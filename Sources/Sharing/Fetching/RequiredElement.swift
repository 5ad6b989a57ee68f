/// A request for the first element of another request.
///
/// Without an element, the result is `nil` if the type is optional. Otherwise fetching throws
/// ``NotFound`` when there is no row, and the error of decoding NULL when the row's value is NULL.
struct RequiredElement<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  let request: Request

  func fetch(_ db: Database) throws -> Request.RowDecoder {
    if let element = try request.fetchOne(db) { return element }
    guard let optional = Request.RowDecoder.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Request.RowDecoder
    else {
      let prepared = try request.makePreparedRequest(db)
      if let row = try Row.fetchOne(prepared.statement, adapter: prepared.adapter) {
        return try Request.RowDecoder.fetched(from: row)
      }
      throw NotFound(sql: prepared.statement.sql)
    }
    return none
  }
}
