internal import CWellspringCurl
internal import WellspringSystem

/// A connection to one server at a time, kept open between requests.
final class HTTPConnection: @unchecked Sendable {
  // Safe to share: its borrower uses it on one thread at a time. Only `wakeUp()` may be called by
  // other threads, which libcurl allows.

  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// Whether curl cannot use a connection of HTTP 2 without encryption again:
  /// https://github.com/curl/curl/issues/10634
  private static let beginsTwice = (0x07_5700..<0x08_0000).contains(wellspring_curl_version())

  /// Whether its requests are calls by gRPC, which needs HTTP 2.
  ///
  /// A connection of one version of HTTP does not serve the other one.
  let isGRPC: Bool
  private let transfer: UnsafeMutableRawPointer
  private let transfers: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var isOpen = false
  /// The bytes that have arrived and were not taken yet.
  private(set) var received: [UInt8] = []
  /// The result of a call by gRPC, once it has arrived.
  private var grpcStatus: Int?
  /// The URLs that have answered by gRPC.
  private var grpcURLs: Set<String> = []
  /// When the last part of the answer arrived, or the request was begun.
  private(set) var lastByte: UInt64 = 0
  /// How many bytes had moved in either direction, and when that was noticed last.
  private var lastCount = 0
  private var lastMove: UInt64 = 0
  /// Curl's message about a failure.
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init?(isGRPC: Bool = false) {
    guard Self.isCurlReady, let transfer = curl_easy_init() else { return nil }
    guard let transfers = curl_multi_init() else {
      curl_easy_cleanup(transfer)
      return nil
    }
    self.isGRPC = isGRPC
    self.transfer = transfer
    self.transfers = transfers
  }

  deinit {
    end()
    curl_easy_cleanup(transfer)
    curl_multi_cleanup(transfers)
    message.deallocate()
  }

  /// Ends the waiting of the thread that uses the connection, so that it looks around.
  func wakeUp() { curl_multi_wakeup(transfers) }

  /// Sends a request, and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - quiet: How long no byte may move, in either direction. A slow link needs more time for a
  ///     large request or answer, and a server that is cut off needs none.
  ///   - deadline: When it ends, although bytes move.
  ///   - isClosed: Whether the wait must end.
  /// - Returns: The answer.
  /// - Throws: ``HTTPFailure``.
  func send(
    _ request: HTTPRequest,
    quiet: Duration,
    until deadline: UInt64,
    isClosed: () -> Bool
  ) throws(HTTPFailure) -> HTTPAnswer {
    begin(request)
    defer { end() }
    while true {
      let end = min(deadline, lastMove + quiet.nanoseconds)
      if let status = try advance(until: end, isClosed: isClosed) {
        if grpcStatus != nil { grpcURLs.insert(request.url) }
        return HTTPAnswer(status: status, grpcStatus: grpcStatus, body: received)
      }
      let now = MonotonicClock.now
      if now >= lastMove + quiet.nanoseconds { throw .silent("it does not answer") }
      if now >= deadline { throw .broken("it does not answer in time") }
    }
  }

  /// How many bytes of the request have left this process, and of the answer have arrived.
  private var movedBytes: Int { wellspring_curl_get_sent(transfer) + received.count }

  /// Sends a request whose answer comes bit by bit.
  func begin(_ request: HTTPRequest) {
    end()
    received = []
    grpcStatus = nil
    lastByte = MonotonicClock.now
    (lastCount, lastMove) = (0, lastByte)
    message[0] = 0
    curl_easy_reset(transfer)
    set(CURLOPT_URL, request.url)
    // A proxy of the environment is not meant for a database's log.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_HTTP_VERSION, version(for: request))
    set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds)
    // Bytes that the kernel has taken count as sent.
    wellspring_curl_limit_send_buffer(transfer)
    wellspring_curl_set_pointer(transfer, CURLOPT_ERRORBUFFER, message)
    if let security = request.security {
      if let file = security.authorityFile { set(CURLOPT_CAINFO, file) }
      if let file = security.certificateFile { set(CURLOPT_SSLCERT, file) }
      if let file = security.keyFile { set(CURLOPT_SSLKEY, file) }
    }
    var lines = ["Content-Type: application/\(isGRPC ? "grpc" : "json")", "Expect:"]
    if isGRPC { lines.append("TE: trailers") }
    if let token = request.authorization { lines.append("Authorization: \(token)") }
    for line in lines { headers = curl_slist_append(headers, line) }
    wellspring_curl_set_pointer(transfer, CURLOPT_HTTPHEADER, headers)
    request.body.withUnsafeBytes { bytes in
      _ = wellspring_curl_set_body(transfer, bytes.baseAddress, bytes.count)
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    wellspring_curl_set_receiver(
      transfer,
      { bytes, size, count, context in
        HTTPConnection.pass(bytes, size * count, to: context) { connection, part in
          connection.received.append(contentsOf: part)
          connection.lastByte = MonotonicClock.now
        }
      },
      context
    )
    if isGRPC {
      wellspring_curl_set_header_receiver(
        transfer,
        { bytes, size, count, context in
          HTTPConnection.pass(bytes, size * count, to: context) { connection, line in
            connection.take(header: String(decoding: line, as: UTF8.self))
          }
        },
        context
      )
    }
    curl_multi_add_handle(transfers, transfer)
    isOpen = true
  }

  /// Passes bytes that curl has received to their connection.
  ///
  /// - Returns: How many were taken: with fewer than it has, curl ends the transfer.
  private static func pass(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    to context: UnsafeMutableRawPointer?,
    _ take: (HTTPConnection, UnsafeRawBufferPointer) -> Void
  ) -> Int {
    guard let bytes, let context else { return 0 }
    let connection = Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
    take(connection, UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  /// Whether a URL has answered by gRPC, so that a connection to it may be open.
  func hasAnsweredByGRPC(_ url: String) -> Bool { grpcURLs.contains(url) }

  /// HTTP 2 is agreed upon with encryption, and begun at once without.
  private func version(for request: HTTPRequest) -> Int {
    guard isGRPC else { return Int(CURL_HTTP_VERSION_1_1) }
    if request.url.hasPrefix("https:") { return Int(CURL_HTTP_VERSION_2TLS) }
    let isBegun = Self.beginsTwice && hasAnsweredByGRPC(request.url)
    return Int(isBegun ? CURL_HTTP_VERSION_2_0 : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
  }

  /// Takes a line before the body, or after it.
  private func take(header line: String) {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "grpc-status" else { return }
    grpcStatus = Int(parts[1].filter(\.isNumber))
  }

  /// Ends the request. If its answer is not complete, the connection is closed.
  func end() {
    guard isOpen else { return }
    isOpen = false
    curl_multi_remove_handle(transfers, transfer)
    curl_slist_free_all(headers)
    headers = nil
  }

  /// Takes the next line of the answer, without its end, if it has arrived.
  func takeLine() -> [UInt8]? {
    guard let end = received.firstIndex(of: 10) else { return nil }
    let line = Array(received[..<end])
    received.removeFirst(end + 1)
    return line
  }

  /// Continues the request until something happens.
  ///
  /// - Returns: The status if the answer is complete; `nil` if something has moved, or the time is
  ///   over.
  func advance(until deadline: UInt64, isClosed: () -> Bool) throws(HTTPFailure) -> Int? {
    if isClosed() { throw .closed }
    var running: Int32 = 0
    let count = received.count
    curl_multi_perform(transfers, &running)
    // Not after the wait below, which may last until the server counts as silent.
    let moved = movedBytes
    if moved != lastCount { (lastCount, lastMove) = (moved, MonotonicClock.now) }
    var result = CURLE_OK
    if wellspring_curl_take_result(transfers, &result) != 0 {
      guard result == CURLE_OK else { throw failure(result) }
      return wellspring_curl_get_number(transfer, CURLINFO_RESPONSE_CODE)
    }
    if received.count > count { return nil }
    wait(until: deadline)
    return nil
  }

  /// Waits for progress of the request, for `wakeUp()`, or until a moment.
  func wait(until deadline: UInt64) {
    let now = MonotonicClock.now
    guard now < deadline else { return }
    let milliseconds = min((deadline - now) / 1_000_000 + 1, 60_000)
    curl_multi_poll(transfers, nil, 0, Int32(milliseconds), nil)
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    let detail = String(cString: message)
    let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    switch code {
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT,
      CURLE_UNSUPPORTED_PROTOCOL:
      return .notSent(text)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER:
      return .refused(text)
    // A server that wants a certificate ends the connection when it has read the request's first
    // bytes.
    case CURLE_RECV_ERROR where text.contains("alert"): return .refused(text)
    default: return .broken(text)
    }
  }

  private func set(_ option: CURLoption, _ value: String) {
    wellspring_curl_set_text(transfer, option, value)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    wellspring_curl_set_number(transfer, option, value)
  }
}
