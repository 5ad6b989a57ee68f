/// A request for the first element of another request.
///
/// Without an element, the result is `nil` if the type is optional. Otherwise fetching throws
/// ``NotFound`` when there is no row, and the error of decoding NULL when the row's value is NULL.
struct RequiredElement<Request: FetchRequest & Hashable & Sendable>: ObservationRequest,
  SingleElementRequest
where Request.RowDecoder: Fetchable & Sendable {
  let request: Request

  func fetch(_ db: Database) throws -> Request.RowDecoder {
    if let value = Self.value(of: try request.fetchOne(db)) { return value }
    // A cursor decodes NULL, which is an error then; `fetchOne` treats it as a missing row. Only
    // values can be NULL. Records may have associated rows, which a cursor cannot include.
    if Request.RowDecoder.self is any DatabaseValueConvertible.Type,
      let element = try request.fetchCursor(db).next()
    {
      return element
    }
    throw NotFound(sql: try request.makePreparedRequest(db).statement.sql)
  }

  static func value(of element: Request.RowDecoder?) -> Request.RowDecoder? {
    if let element { return element }
    guard let optional = Request.RowDecoder.self as? any ExpressibleByNilLiteral.Type else {
      return nil
    }
    return optional.init(nilLiteral: ()) as? Request.RowDecoder
  }
}
