import Storage
import Testing

/// Wrong input, and the whole message of its error.
struct BadInputCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The whole description of the error.
  let error: String
  let body: @Sendable (Database) throws -> Void

  init(_ name: String, _ error: String, _ body: @escaping @Sendable (Database) throws -> Void) {
    testDescription = name
    self.error = error
    self.body = body
  }
}
