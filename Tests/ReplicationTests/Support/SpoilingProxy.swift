import EtcdSupport
import Foundation
import TestSupport

/// A server between a log and its etcd, which spoils answers as its test wants.
final class SpoilingProxy: @unchecked Sendable {
  // Safe to share: a lock guards the mutable state.

  /// A fault of a request or of its answer.
  enum Fault: Hashable, Sendable, CaseIterable {
    /// The request does not arrive.
    case requestLost
    /// The request arrives, and the answer does not.
    case answerLost
    /// The answer ends in the middle.
    case answerCut
    /// One bit of the answer's body has the other value.
    case bitFlipped
    /// The request arrives twice.
    case doubled
    /// The request arrives just before or after the next one.
    case late
    /// The request arrives, and the answer is the answer to the request before.
    case otherAnswer
    /// The request arrives, and another server answers that it waits no longer.
    case gaveUp
  }

  let url: String
  private let listener: Int32
  private let upstream: UInt16
  private let lock = NSLock()
  private var faults: [Fault] = []
  private var random = SeededGenerator(seed: 3)
  private var last: [UInt8] = []
  private var held: [UInt8]?
  private var spoiled = 0
  private var watches = 0
  private var refusesWatches = false

  /// Makes a proxy of the server at a URL. It spoils requests that contain a word.
  init(_ serverURL: String, word: String) throws {
    upstream = UInt16(serverURL.split(separator: ":").last ?? "") ?? 0
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port = TestPort.reserve()
    url = "http://127.0.0.1:\(port)"
    let bound = Loopback.withAddress(port) { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    let word = Array(word.utf8)
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let proxy = self else {
          close(client)
          return
        }
        Thread.detachNewThread { proxy.serve(client, word) }
      }
    }
  }

  /// Ends the proxy.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Spoils the next requests with the word, one fault for each.
  func spoil(_ next: [Fault]) { lock.withLock { faults = next } }

  /// Answers requests for a watch as a server does that refuses them.
  func refuseWatches() { lock.withLock { refusesWatches = true } }

  /// How many requests for a watch have come.
  var watchCount: Int { lock.withLock { watches } }

  /// How many requests were spoiled.
  var count: Int { lock.withLock { spoiled } }

  private func serve(_ client: Int32, _ word: [UInt8]) {
    defer { close(client) }
    guard let request = Self.readRequest(client) else { return }
    let isWatch = request.starts(with: Array("POST /v3/watch".utf8))
    let isMeant = !isWatch && Self.contains(request, word)
    let fault = lock.withLock { () -> Fault? in
      guard isMeant, !faults.isEmpty else { return nil }
      spoiled += 1
      return faults.removeFirst()
    }
    if isWatch {
      let isRefused = lock.withLock {
        watches += 1
        return refusesWatches
      }
      guard isRefused else { return pass(request, to: client) }
      let body = #"{"result":{"created":true,"canceled":true}}"# + "\n"
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      return Self.send(Array((head + body).utf8), to: client)
    }
    switch fault {
    case .requestLost: return
    case .late:
      lock.withLock { self.held = request }
      return
    default: break
    }
    let (held, isFirst) = lock.withLock { () -> ([UInt8]?, Bool) in
      guard isMeant else { return (nil, false) }
      defer { self.held = nil }
      return (self.held, random.chance(50))
    }
    if let held, isFirst { _ = exchange(held) }
    var answer = exchange(request)
    if let held, !isFirst { _ = exchange(held) }
    if fault == .doubled { answer = exchange(request) }
    if isMeant {
      let before = lock.withLock { () -> [UInt8] in
        defer { last = answer }
        return last
      }
      if fault == .otherAnswer, !before.isEmpty { answer = before }
    }
    switch fault {
    case .answerLost: return
    case .answerCut:
      let count = lock.withLock { random.number(below: max(1, answer.count)) }
      answer = Array(answer.prefix(count))
    case .bitFlipped:
      let body = Self.bodyStart(answer)
      let (byte, bit) = lock.withLock {
        (body + random.number(below: max(1, answer.count - body)), random.number(below: 8))
      }
      if byte < answer.count { answer[byte] ^= 1 << UInt8(bit) }
    case .gaveUp:
      answer = Array("HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 5\r\n\r\nsorry".utf8)
    default: break
    }
    Self.send(answer, to: client)
  }

  /// Sends a request, and returns the whole answer.
  private func exchange(_ request: [UInt8]) -> [UInt8] {
    var answer: [UInt8] = []
    forward(request) { answer += $0 }
    return answer
  }

  /// Passes an answer on that has no end.
  private func pass(_ request: [UInt8], to client: Int32) {
    forward(request) { Self.send(Array($0), to: client) }
  }

  private func forward(_ request: [UInt8], _ receive: (ArraySlice<UInt8>) -> Void) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    guard Loopback.withAddress(upstream, { connect(server, $0, $1) }) == 0 else { return }
    // The end of the answer then is the end of the connection.
    let line = request.firstIndex(of: 10).map { $0 + 1 } ?? 0
    Self.send(request[..<line] + Array("Connection: close\r\n".utf8) + request[line...], to: server)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(server, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      receive(buffer[..<count])
    }
  }

  private static func readRequest(_ client: Int32) -> [UInt8]? {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let body = bodyStart(request)
      if body > 0 {
        let head = String(decoding: request[..<body], as: UTF8.self).lowercased()
        let length =
          head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if request.count >= body + length { return request }
      }
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      request += buffer[..<count]
    }
  }

  /// Where the body begins, or 0 if the head is not complete.
  private static func bodyStart(_ message: [UInt8]) -> Int {
    let end: [UInt8] = [13, 10, 13, 10]
    guard message.count >= 4 else { return 0 }
    for start in 0...(message.count - 4) where message[start..<(start + 4)].elementsEqual(end) {
      return start + 4
    }
    return 0
  }

  private static func contains(_ message: [UInt8], _ word: [UInt8]) -> Bool {
    String(decoding: message, as: UTF8.self).contains(String(decoding: word, as: UTF8.self))
  }

  private static func send(_ bytes: some Sequence<UInt8>, to socket: Int32) {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Foundation.send(
          socket,
          buffer.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
