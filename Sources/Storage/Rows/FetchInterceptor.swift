/// Answers the fetches of a connection in another way than by running their statements.
protocol FetchInterceptor: AnyObject {
  /// Fetches all elements of a request whose arguments are bound.
  ///
  /// - Returns: The elements; `nil` when the request is to run.
  /// - Throws: The error of the statement, or of an element.
  func fetchAll<Element: Fetchable>(
    _ type: Element.Type,
    _ request: PreparedRequest
  ) throws -> [Element]?

  /// Fetches the element of the first row of a request whose arguments are bound.
  ///
  /// - Returns: The element; `.none` when the request is to run.
  /// - Throws: The error of the statement, or of the element.
  func fetchOne<Element: Fetchable>(
    _ type: Element.Type,
    _ request: PreparedRequest
  ) throws -> Element??
}

extension Statement {
  /// Whether the connection may answer fetches itself.
  @usableFromInline
  var isIntercepted: Bool { database.fetchInterceptor != nil }

  /// Returns all elements, if the connection answers fetches itself; otherwise `nil`.
  @usableFromInline
  func interceptedElements<Element: Fetchable>(
    _ type: Element.Type,
    _ adapter: (any RowAdapter)?
  ) throws -> [Element]? {
    guard let interceptor = database.fetchInterceptor else { return nil }
    return try interceptor.fetchAll(type, PreparedRequest(statement: self, adapter: adapter))
  }

  /// Returns the first element, if the connection answers fetches itself; otherwise `.none`.
  @usableFromInline
  func interceptedElement<Element: Fetchable>(
    _ type: Element.Type,
    _ adapter: (any RowAdapter)?
  ) throws -> Element?? {
    guard let interceptor = database.fetchInterceptor else { return .none }
    return try interceptor.fetchOne(type, PreparedRequest(statement: self, adapter: adapter))
  }
}
