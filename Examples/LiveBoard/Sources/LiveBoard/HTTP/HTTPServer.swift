import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP server with one thread, which answers requests with an async closure.
///
/// While a request is answered, and while an event stream has nothing to send, the connection is
/// suspended: it is a file descriptor and some memory.
public final class HTTPServer: Sendable {
  /// The server can't listen.
  public struct ListenError: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  private struct State {
    var isStopping = false
    /// The number of requests that are being answered.
    var answering = 0
    var streams: [ObjectIdentifier: EventStream] = [:]
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// The longest body of a request.
  static let bodyLimit = 4096

  let respond: @Sendable (HTTPRequest) async -> HTTPResponse
  private let state = Mutex(State())
  private let daemon = Mutex<DaemonHandle?>(nil)
  private let heartbeat = Mutex<Task<Void, Never>?>(nil)

  /// Creates a server that does not listen yet.
  public init(respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
    self.respond = respond
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - host: The address of an interface of this machine, such as `127.0.0.1`.
  ///   - port: The port. 0 stands for one that is free.
  ///   - connectionLimit: How many connections are served at once.
  ///   - heartbeatInterval: How often a connection without events is tested.
  /// - Returns: The port.
  /// - Throws: ``ListenError``.
  public func listen(
    host: String,
    port: UInt16,
    connectionLimit: Int = 4000,
    heartbeatInterval: Duration = .seconds(15)
  ) throws -> UInt16 {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &found)
    guard code == 0, let found else {
      throw ListenError(description: "\(host): \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(found) }
    let daemon = board_start(
      found.pointee.ai_addr,
      UInt32(connectionLimit),
      16 * 1024,
      60,
      { context, connection, url, method, _, bytes, count, exchange in
        let server = Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
        return server.handle(
          ConnectionHandle(pointer: connection!),
          method: String(cString: method!),
          path: String(cString: url!),
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
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard let daemon else {
      let reason = String(cString: strerror(errno))
      throw ListenError(description: "can't listen on \(host), port \(port): \(reason)")
    }
    self.daemon.withLock { $0 = DaemonHandle(pointer: daemon) }
    heartbeat.withLock {
      $0 = Task { [weak self] in
        while (try? await Task.sleep(for: heartbeatInterval)) != nil { self?.sendHeartbeats() }
      }
    }
    return UInt16(board_port(daemon))
  }

  /// Ends all streams and the server, when it has answered what it had begun to answer.
  public func stop() async {
    heartbeat.withLock { $0.take() }?.cancel()
    let streams = state.withLock { state in
      state.isStopping = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.end() }
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.answering > 0 { state.waiter = continuation }
        return state.answering == 0
      }
      if isDone { continuation.resume() }
    }
    if let daemon = daemon.withLock({ $0.take() }) { MHD_stop_daemon(daemon.pointer) }
  }

  private func sendHeartbeats() {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.sendHeartbeat() }
  }

  // MARK: - On the thread of the server

  /// Is called when the headers of a request have arrived, for each part of its body, at the end of
  /// the body, and when the answer is known.
  private func handle(
    _ connection: ConnectionHandle,
    method: String,
    path: String,
    bytes: UnsafeRawBufferPointer,
    count: UnsafeMutablePointer<Int>,
    exchange slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let opaque = slot.pointee else {
      let request = HTTPRequest(
        method: method,
        path: path,
        port: connection.port,
        host: connection.header("Host"),
        origin: connection.header("Origin")
      )
      slot.pointee = Unmanaged.passRetained(HTTPExchange(request)).toOpaque()
      let length = connection.header("Content-Length").map { Int($0) ?? .max } ?? 0
      guard length <= Self.bodyLimit else {
        return queue(.text(413, "This is too long."), on: connection)
      }
      return .YES
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(opaque).takeUnretainedValue()
    if !bytes.isEmpty {
      count.pointee = 0
      return exchange.receive(bytes, limit: Self.bodyLimit) ? .YES : .NO
    }
    if let response = exchange.answer { return queue(response, on: connection) }
    guard beginAnswer() else {
      return queue(.text(503, "The server ends."), on: connection)
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
    let message: OpaquePointer? =
      switch response.body {
      case .bytes(let bytes): board_response(bytes.count, bytes)
      case .events(let stream): makeResponse(stream, on: connection)
      }
    guard let message else { return .NO }
    for (name, value) in response.headers { MHD_add_response_header(message, name, value) }
    if case .events = response.body {
      // The stream ends with the connection. A proxy must not keep events back.
      MHD_add_response_header(message, "Connection", "close")
      MHD_add_response_header(message, "X-Accel-Buffering", "no")
    }
    let result = MHD_queue_response(connection.pointer, UInt32(response.status), message)
    MHD_destroy_response(message)
    return result
  }

  private func makeResponse(_ stream: EventStream, on connection: ConnectionHandle)
    -> OpaquePointer?
  {
    let outlet = EventOutlet(stream, connection) { [weak self] in self?.remove(stream) }
    add(stream)
    return board_stream(
      1024,
      { context, _, buffer, size in
        Unmanaged<EventOutlet>.fromOpaque(context!).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
      },
      Unmanaged.passRetained(outlet).toOpaque(),
      { context in Unmanaged<EventOutlet>.fromOpaque(context!).takeRetainedValue().close() }
    )
  }

  // MARK: - What is going on

  private func beginAnswer() -> Bool {
    state.withLock { state in
      if !state.isStopping { state.answering += 1 }
      return !state.isStopping
    }
  }

  private func endAnswer() {
    let waiter = state.withLock { state in
      state.answering -= 1
      return state.answering == 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  private func add(_ stream: EventStream) {
    let isStopping = state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = stream
      return state.isStopping
    }
    if isStopping { stream.end() }
  }

  private func remove(_ stream: EventStream) {
    let removed = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
    withExtendedLifetime(removed) {}
  }
}
