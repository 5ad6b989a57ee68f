import Testing

@testable import LiveBoard

@Suite struct RequestGuardTests {
  private let requestGuard = RequestGuard(names: ["127.0.0.1", "localhost", "::1", "Board.Example"])

  private func passes(_ method: String, _ host: String?, _ origin: String? = nil) -> Bool {
    let request = HTTPRequest(method: method, path: "/", port: 8022, host: host, origin: origin)
    return requestGuard.refusal(of: request) == nil
  }

  @Test(arguments: [
    "127.0.0.1:8022", "localhost:8022", "[::1]:8022", "LOCALHOST:8022", "board.example",
    "board.example:8022",
  ])
  func `A name of the board passes`(host: String) {
    #expect(passes("GET", host))
    #expect(passes("POST", host, "http://\(host)"))
    #expect(passes("POST", host, "https://\(host)"))
  }

  @Test(arguments: [
    nil, "", "evil.example", "evil.example:8022", "127.0.0.1:80", "a.localhost:8022",
  ])
  func `Another name does not pass`(host: String?) {
    #expect(!passes("GET", host))
    #expect(!passes("POST", host, "http://\(host ?? "")"))
  }

  @Test(arguments: [nil, "null", "http://evil.example", "http://127.0.0.1", "ftp://127.0.0.1:8022"])
  func `Another origin can't write`(origin: String?) {
    #expect(!passes("POST", "127.0.0.1:8022", origin))
    #expect(!passes("DELETE", "127.0.0.1:8022", origin))
  }
}
