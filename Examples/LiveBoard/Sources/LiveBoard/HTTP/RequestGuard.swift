/// Lets requests pass that come from the page itself.
///
/// A page of another site may make a browser send requests to this machine. Its POST has another
/// `Origin`; and if it has changed what its own name stands for, its requests have another `Host`.
public struct RequestGuard: Sendable {
  private let hosts: Set<String>

  /// Creates a guard.
  ///
  /// - Parameter names: The names and addresses that the board is known by.
  public init(names: [String]) {
    hosts = Set(
      names.map { name in
        name.contains(":") && !name.hasPrefix("[") ? "[\(name.lowercased())]" : name.lowercased()
      }
    )
  }

  /// Why a request is refused, or `nil` if it may pass.
  public func refusal(of request: HTTPRequest) -> String? {
    // Without a port, the board is behind a proxy, or its port is 80.
    guard let host = request.host?.lowercased(),
      hosts.contains(host) || hosts.contains(where: { host == "\($0):\(request.port)" })
    else {
      return "This board is not known by that name."
    }
    if request.method == "GET" || request.method == "HEAD" { return nil }
    let origins = ["http://\(host)", "https://\(host)"]
    guard let origin = request.origin?.lowercased(), origins.contains(origin) else {
      return "Only the page of this board may write."
    }
    return nil
  }
}
