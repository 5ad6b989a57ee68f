/// The fetch of an observation, as a value: all observations of equal requests to one database
/// share one query.
///
///     struct StockRequest: ObservationRequest {
///       var warehouse: Int64
///       func fetch(_ db: Database) throws -> Int {
///         let sql = "SELECT sum(amount) FROM stock WHERE warehouseId = ?"
///         return try Int.fetchOne(db, sql: sql, arguments: [warehouse]) ?? 0
///       }
///     }
///     let observation = ValueObservation.tracking(StockRequest(warehouse: 1))
///
/// All of its queries see one state of the database. Everything that makes one request different
/// from another belongs in its properties.
public protocol ObservationRequest<Value>: Hashable, Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// Reads the database, and nothing else that can change.
  func fetch(_ db: Database) throws -> Value
}

extension ValueObservation {
  /// Observes all elements of a request.
  ///
  ///     let observation = ValueObservation.tracking(Player.filter { $0.score >= 1000 })
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  ///
  /// A request for rows with known keys runs again after changes of those rows only. Observations
  /// of equal requests to one database share one query.
  ///
  /// - Parameter request: A request of any type that is `Hashable` and `Sendable`, as the types of
  ///   this library are.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation
  where Request.RowDecoder: Fetchable & Sendable, Value == [Request.RowDecoder] {
    tracking(AllElements(request))
  }

  /// Observes the first element of a request: `nil` while the request has no rows.
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

/// An ``ObservationRequest`` for all elements of a fetch request.
package struct AllElements<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  /// The request.
  package let request: Request

  /// Makes an observation request for all elements of `request`.
  package init(_ request: Request) {
    self.request = request
  }

  /// Fetches all elements.
  package func fetch(_ db: Database) throws -> [Request.RowDecoder] { try request.fetchAll(db) }
}

extension AllElements: PatchableRequest {
  func makePatcher() -> (any ValuePatcher<[Request.RowDecoder]>)? {
    ElementsPatcher(all: request)
  }
}

/// An ``ObservationRequest`` for the first element of a fetch request.
package struct FirstElement<Request: FetchRequest & Hashable & Sendable>: ObservationRequest
where Request.RowDecoder: Fetchable & Sendable {
  /// The request.
  package let request: Request

  /// Makes an observation request for the first element of `request`.
  package init(_ request: Request) {
    self.request = request
  }

  /// Fetches the first element: `nil` when there is no row, or its value is NULL.
  package func fetch(_ db: Database) throws -> Request.RowDecoder? { try request.fetchOne(db) }
}

extension FirstElement: SingleElementRequest {
  package static func value(of element: Request.RowDecoder?) -> Request.RowDecoder?? { element }
}

/// An ``ObservationRequest`` for the number of rows of a fetch request.
package struct RowCount<Request: FetchRequest & Hashable & Sendable>: ObservationRequest {
  /// The request.
  package let request: Request

  /// Makes an observation request for the number of rows of `request`.
  package init(_ request: Request) {
    self.request = request
  }

  /// Counts the rows.
  package func fetch(_ db: Database) throws -> Int { try request.fetchCount(db) }
}

extension RowCount: PatchableRequest {
  func makePatcher() -> (any ValuePatcher<Int>)? { ElementsPatcher(countOf: request) }
}

/// An ``ObservationRequest`` for a page of a request's rows.
///
///     let first = KeysetPageRequest(Player.order(\.name), size: 50)
///     for try await page in ValueObservation.tracking(first).values(in: pool) {
///       print(page.rows.count, page.hasNext)
///     }
///
/// All parts of a page belong to one state of the database. While rows come and go, the page has
/// the rows that follow its position now.
public struct KeysetPageRequest<Element: Fetchable & Sendable>: ObservationRequest {
  /// The request for all rows.
  public let request: QueryInterfaceRequest<Element>
  /// The position after which the page begins; `nil` for the first page.
  public let position: KeysetPosition?
  /// The largest number of rows on the page.
  public let size: Int
  /// Whether the rows of all pages are counted.
  public let isCounted: Bool

  /// Makes an observation request for a page: see
  /// ``QueryInterfaceRequest/fetchPage(_:after:size:isCounted:)``.
  public init(
    _ request: QueryInterfaceRequest<Element>,
    after position: KeysetPosition? = nil,
    size: Int,
    isCounted: Bool = false
  ) {
    self.request = request
    self.position = position
    self.size = size
    self.isCounted = isCounted
  }

  /// Fetches the page.
  public func fetch(_ db: Database) throws -> KeysetPage<Element> {
    try request.fetchPage(db, after: position, size: size, isCounted: isCounted)
  }
}
