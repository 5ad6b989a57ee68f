import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP server for this machine, with one thread. An async closure answers the requests, and no
/// thread waits for it.
final class HTTPServer: Sendable {
  typealias Respond = @Sendable (HTTPRequest) async -> HTTPResponse

  struct ListenError: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest body of a request.
  static let bodyLimit = 1024 * 1024

  private struct State {
    var respond: Respond?
    var isStopping = false
    /// The number of requests that are being answered.
    var answering = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let daemon = Mutex<DaemonHandle?>(nil)
  private let listening = Mutex<UInt16>(0)

  /// The port on which the server listens.
  var port: UInt16 { listening.withLock { $0 } }

  /// Starts to listen. Requests are answered with 503 until ``answer(with:)`` is called.
  ///
  /// - Parameter port: The port. 0 stands for one that is free.
  /// - Throws: ``ListenError``.
  init(port: UInt16) throws {
    let daemon = shop_start(
      port,
      { context, connection, url, method, _, bytes, count, exchange in
        let server = Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
        return server.handle(
          ConnectionHandle(pointer: connection!),
          HTTPRequest(method: String(cString: method!), path: String(cString: url!)),
          bytes: UnsafeRawBufferPointer(start: bytes, count: count!.pointee),
          count: count!,
          exchange: exchange!
        )
      },
      { _, _, exchange, _ in
        if let exchange = exchange?.pointee {
          Unmanaged<HTTPExchange>.fromOpaque(exchange).release()
        }
      },
      // The server lives longer than its thread: see `stop`.
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard let daemon else {
      let reason = String(cString: strerror(errno))
      throw ListenError(description: "can't listen on port \(port): \(reason)")
    }
    listening.withLock { $0 = shop_port(daemon) }
    self.daemon.withLock { $0 = DaemonHandle(pointer: daemon) }
  }

  deinit {
    // After an error, when no request was answered yet.
    if let daemon = daemon.withLock({ $0.take() }) { MHD_stop_daemon(daemon.pointer) }
  }

  /// Answers the requests from now on.
  func answer(with respond: @escaping Respond) { state.withLock { $0.respond = respond } }

  /// Ends the server, when it has answered what it had begun to answer.
  func stop() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        state.isStopping = true
        state.respond = nil
        if state.answering > 0 { state.waiter = continuation }
        return state.answering == 0
      }
      if isDone { continuation.resume() }
    }
    if let daemon = daemon.withLock({ $0.take() }) { MHD_stop_daemon(daemon.pointer) }
  }

  // MARK: On the thread of the server

  /// Is called when the headers of a request have arrived, for each part of its body, at the end of
  /// the body, and when the answer is known.
  private func handle(
    _ connection: ConnectionHandle,
    _ request: HTTPRequest,
    bytes: UnsafeRawBufferPointer,
    count: UnsafeMutablePointer<Int>,
    exchange slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let opaque = slot.pointee else {
      var request = request
      request.key = connection.header("Idempotency-Key")
      slot.pointee = Unmanaged.passRetained(HTTPExchange(request)).toOpaque()
      return .YES
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(opaque).takeUnretainedValue()
    if !bytes.isEmpty {
      count.pointee = 0
      // Otherwise the connection ends.
      return exchange.receive(bytes, limit: Self.bodyLimit) ? .YES : .NO
    }
    if let response = exchange.answer { return queue(response, on: connection) }
    guard let respond = beginAnswer() else {
      return queue(.text(503, "This node begins or ends."), on: connection)
    }
    MHD_suspend_connection(connection.pointer)
    Task {
      exchange.answer = await respond(exchange.request)
      MHD_resume_connection(connection.pointer)
      endAnswer()
    }
    return .YES
  }

  private func queue(_ response: HTTPResponse, on connection: ConnectionHandle) -> MHD_Result {
    guard let message = shop_response(response.body.count, response.body) else { return .NO }
    let result = MHD_queue_response(connection.pointer, UInt32(response.status), message)
    MHD_destroy_response(message)
    return result
  }

  private func beginAnswer() -> Respond? {
    state.withLock { state in
      guard !state.isStopping, let respond = state.respond else { return nil }
      state.answering += 1
      return respond
    }
  }

  private func endAnswer() {
    let waiter = state.withLock { state in
      state.answering -= 1
      return state.answering == 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }
}

/// A request that arrives, and its answer.
private final class HTTPExchange: Sendable {
  private let state: Mutex<(request: HTTPRequest, answer: HTTPResponse?)>

  init(_ request: HTTPRequest) { state = Mutex((request, nil)) }

  var request: HTTPRequest { state.withLock { $0.request } }

  var answer: HTTPResponse? {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// Takes a part of the body. Returns whether the body is short enough.
  func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
    let part = Array(bytes)
    return state.withLock { state in
      guard state.request.body.count + part.count <= limit else { return false }
      state.request.body += part
      return true
    }
  }
}

/// A connection of libmicrohttpd. Any thread may suspend and resume it.
private struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The value of a header of the request.
  func header(_ name: String) -> String? {
    MHD_lookup_connection_value(pointer, .HEADER_KIND, name).map { String(cString: $0) }
  }
}

/// A server of libmicrohttpd. Any thread may stop it.
private struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}
