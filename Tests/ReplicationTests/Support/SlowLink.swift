import EtcdSupport
import Foundation
import WellspringSystem

/// A link to a server that carries some bytes a second in each direction.
final class SlowLink: @unchecked Sendable {
  // Safe to share: a lock guards the count, and the rest does not change.

  let url: String
  private let listener: Int32
  private let upstream: UInt16
  private let rate: Int
  private let lock = NSLock()
  private var received = 0

  /// Makes a link to the server at a URL.
  init(_ serverURL: String, bytesPerSecond: Int) throws {
    upstream = UInt16(serverURL.split(separator: ":").last ?? "") ?? 0
    rate = bytesPerSecond
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    let port = TestPort.reserve()
    url = "http://127.0.0.1:\(port)"
    // The kernel does not carry bytes before the link carries them.
    Self.shrinkBuffers(listener)
    let bound = Loopback.withAddress(port) { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let link = self else {
          close(client)
          return
        }
        Thread.detachNewThread { link.serve(client) }
      }
    }
  }

  /// How many bytes the server has sent.
  var receivedBytes: Int { lock.withLock { received } }

  /// Ends the link.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(server)
      close(client)
    }
    Self.shrinkBuffers(server)
    guard Loopback.withAddress(upstream, { connect(server, $0, $1) }) == 0 else { return }
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      self.copy(client, to: server) { _ in }
      isDone.signal()
    }
    copy(server, to: client) { count in self.lock.withLock { self.received += count } }
    isDone.wait()
  }

  /// Passes on the received bytes, no faster than the link is, until one side ends.
  private func copy(_ source: Int32, to target: Int32, _ note: (Int) -> Void) {
    var buffer = [UInt8](repeating: 0, count: max(1, rate / 50))
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      note(count)
      var sent = 0
      while sent < count {
        let part = buffer.withUnsafeBytes { bytes in
          send(target, bytes.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
        }
        guard part > 0 else { break }
        sent += part
      }
      guard sent == count else { break }
      CurrentThread.pause(microseconds: UInt32(1_000_000 * count / rate))
    }
    shutdown(target, Int32(SHUT_RDWR))
    shutdown(source, Int32(SHUT_RDWR))
  }

  private static func shrinkBuffers(_ socket: Int32) {
    var size: Int32 = 16_384
    for option in [SO_RCVBUF, SO_SNDBUF] {
      setsockopt(socket, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
