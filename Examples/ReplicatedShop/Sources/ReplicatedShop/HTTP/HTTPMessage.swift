/// A request that has arrived completely.
struct HTTPRequest: Sendable {
  var method: String
  var path: String
  /// The value of the header `Idempotency-Key`, which a client repeats with the same order.
  var key: String?
  var body: [UInt8] = []
}

/// What the server answers.
struct HTTPResponse: Sendable {
  var status: Int
  var body: [UInt8]

  /// A response with a line of text.
  static func text(_ status: Int, _ line: String) -> Self {
    HTTPResponse(status: status, body: Array("\(line)\n".utf8))
  }
}
