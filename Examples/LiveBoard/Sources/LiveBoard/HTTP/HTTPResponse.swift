/// What the server answers.
public struct HTTPResponse: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    /// Bytes that are known now.
    case bytes([UInt8])
    /// Server-sent events, until either side ends the stream.
    case events(EventStream)
  }

  /// The status, such as 200.
  public var status: Int
  /// The value of `Content-Type`.
  public var type: String
  /// The content.
  public var body: Body

  /// A response with a line of text.
  public static func text(_ status: Int, _ line: String) -> Self {
    HTTPResponse(status: status, type: "text/plain; charset=utf-8", body: .bytes(Array(line.utf8)))
  }

  /// A response without content.
  public static let done = HTTPResponse(status: 204, type: "text/plain", body: .bytes([]))

  /// A response that sends the events of a stream.
  public static func events(_ stream: EventStream) -> Self {
    HTTPResponse(status: 200, type: "text/event-stream", body: .events(stream))
  }

  /// The headers of all responses. The page runs its own script and no other, and no other page may
  /// show it in a frame.
  var headers: [(String, String)] {
    [
      ("Content-Type", type),
      ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          + "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      ),
    ]
  }
}
