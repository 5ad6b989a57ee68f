/// An ``ObservationRequest`` for a page of a request's rows.
///
///     let first = PageRequest(Player.order(\.name), size: 50)
///     for try await page in ValueObservation.tracking(first).values(in: pool) {
///       print(page.rows.count, page.hasNext)
///     }
///
/// All parts of a page belong to one state of the database. While rows come and go, the page has
/// the rows that follow its position now.
public struct PageRequest<Element: Fetchable & Sendable>: ObservationRequest {
  /// The request for all rows.
  public let request: QueryInterfaceRequest<Element>
  /// The position after which the page begins; `nil` for the first page.
  public let position: PagePosition?
  /// The largest number of rows on the page.
  public let size: Int
  /// Whether the rows of all pages are counted.
  public let isCounted: Bool

  /// Makes an observation request for a page: see
  /// ``QueryInterfaceRequest/fetchPage(_:after:size:isCounted:)``.
  public init(
    _ request: QueryInterfaceRequest<Element>,
    after position: PagePosition? = nil,
    size: Int,
    isCounted: Bool = false
  ) {
    self.request = request
    self.position = position
    self.size = size
    self.isCounted = isCounted
  }

  /// Fetches the page.
  public func fetch(_ db: Database) throws -> Page<Element> {
    try request.fetchPage(db, after: position, size: size, isCounted: isCounted)
  }
}
