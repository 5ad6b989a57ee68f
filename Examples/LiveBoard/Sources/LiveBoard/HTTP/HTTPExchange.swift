import Synchronization

/// A request that arrives, and its answer.
final class HTTPExchange: Sendable {
  private struct State {
    var request: HTTPRequest
    var answer: HTTPResponse?
  }

  private let state: Mutex<State>

  init(_ request: HTTPRequest) {
    state = Mutex(State(request: request))
  }

  var request: HTTPRequest { state.withLock { $0.request } }

  var answer: HTTPResponse? {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// Takes a part of the body. Returns whether the body is short enough.
  func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
    let part = Array(bytes)
    return state.withLock { state in
      state.request.body += part
      return state.request.body.count <= limit
    }
  }
}
