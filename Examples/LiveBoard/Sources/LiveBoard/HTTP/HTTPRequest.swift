/// A request that has arrived completely.
public struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The path, without the query.
  public var path: String
  /// The port of the server.
  public var port: UInt16
  /// The value of the header `Host`.
  public var host: String?
  /// The value of the header `Origin`, which browsers send with each POST.
  public var origin: String?
  /// The body, at most as long as the server allows.
  public var body: [UInt8] = []

  /// Creates a request.
  public init(
    method: String,
    path: String,
    port: UInt16,
    host: String? = nil,
    origin: String? = nil,
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.port = port
    self.host = host
    self.origin = origin
    self.body = body
  }

  /// The components of the path.
  var components: [Substring] { path.split(separator: "/") }
}
