/// A part of a request's rows, which ends where the next page begins.
///
///     let first = try Player.order(\.name).fetchPage(db, size: 50)
///     if let next = first.next {
///       let second = try Player.order(\.name).fetchPage(db, after: next, size: 50)
///     }
///
/// A page is found by the values of its order, and not by an offset. So a row that stays in its
/// place is on exactly one page, whatever rows are inserted and deleted between two fetches.
public struct Page<Element> {
  /// The rows of the page, in the order of the request.
  public var rows: [Element]

  /// The position of the last row, after which the next page begins; `nil` on the last page.
  public var next: PagePosition?

  /// The number of rows on all pages, counted in the same state of the database; `nil` unless it
  /// was requested.
  public var totalCount: Int?

  /// Whether rows follow this page.
  public var hasNext: Bool { next != nil }

  /// Creates a page. Without arguments, it is empty.
  public init(rows: [Element] = [], next: PagePosition? = nil, totalCount: Int? = nil) {
    self.rows = rows
    self.next = next
    self.totalCount = totalCount
  }
}

extension Page: Sendable where Element: Sendable {}
extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
extension Page: Encodable where Element: Encodable {}
extension Page: Decodable where Element: Decodable {}
