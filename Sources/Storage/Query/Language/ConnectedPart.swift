/// A part of a request that a closure makes from the connection, whenever the request is written.
///
/// Two parts are equal if they come from one call: closures can't be compared. So requests with
/// such a part are equal to their own copies only, and share no observation with other requests.
final class ConnectedPart<Content>: Hashable, Sendable {
  let content: @Sendable (Database) throws -> Content

  init(_ content: @escaping @Sendable (Database) throws -> Content) {
    self.content = content
  }

  static func == (left: ConnectedPart, right: ConnectedPart) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension SQLContext {
  /// Writes what stands for a part that needs a connection, where there is none.
  mutating func appendUnconnected() {
    append("<when connected>")
  }
}
