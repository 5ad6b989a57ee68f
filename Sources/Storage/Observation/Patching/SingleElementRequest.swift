/// An observation request whose value is made of the first element of a fetch request.
package protocol SingleElementRequest: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The type of the fetch request.
  associatedtype Request: FetchRequest & Hashable & Sendable
  where Request.RowDecoder: Fetchable & Sendable

  /// The fetch request.
  var request: Request { get }

  /// Fetches the value.
  ///
  /// - Throws: The error of the request, or of a value that cannot be made.
  func fetch(_ db: Database) throws -> Value

  /// Returns the value for the first element, which is `nil` when there is no row or its value is
  /// NULL.
  ///
  /// - Returns: The value; `nil` when ``fetch(_:)`` has to find it, or throws.
  static func value(of element: Request.RowDecoder?) -> Value?
}

extension SingleElementRequest {
  func makePatcher() -> any ValuePatcher<Value> {
    ElementsPatcher(of: self)
  }
}
