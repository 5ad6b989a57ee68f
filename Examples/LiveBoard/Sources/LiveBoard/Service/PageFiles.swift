import Foundation

/// The files of the page, which are read once.
struct PageFiles: Sendable {
  private let responses: [String: HTTPResponse]

  init() throws {
    let files = [
      ("/", "index.html", "text/html; charset=utf-8"),
      ("/board.css", "board.css", "text/css; charset=utf-8"),
      ("/board.js", "board.js", "text/javascript; charset=utf-8"),
    ]
    var responses: [String: HTTPResponse] = [:]
    for (path, name, type) in files {
      guard let url = Bundle.module.url(forResource: "Page/\(name)", withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile)
      }
      let bytes = [UInt8](try Data(contentsOf: url))
      responses[path] = HTTPResponse(status: 200, type: type, body: .bytes(bytes))
    }
    self.responses = responses
  }

  func response(for path: String) -> HTTPResponse? { responses[path] }
}
