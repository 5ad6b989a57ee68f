import Foundation
import WellspringSystem

/// A connection of two processes of this machine that send each other lines.
///
/// One thread reads it. Any thread sends.
final class LineSocket: @unchecked Sendable {
  // Safe to share: the descriptor is constant, and one thread reads.
  private let descriptor: Int32
  private var rest: [UInt8] = []
  // Keeps lines whole.
  private let sending = Lock(())

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { Foundation.close(descriptor) }

  /// Waits for the first connection at a path, where no file exists.
  static func accepted(at path: String) throws -> LineSocket {
    let listener = try makeSocket()
    defer { Foundation.close(listener) }
    // Connections find the file only when it listens.
    let first = path + ".new"
    guard withAddress(first, { bind(listener, $0, $1) }) == 0, listen(listener, 1) == 0,
      rename(first, path) == 0
    else { throw failure(path) }
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { throw failure(path) }
    return LineSocket(descriptor)
  }

  /// Connects to a path; `nil` if no process listens there yet.
  static func connected(to path: String) throws -> LineSocket? {
    let descriptor = try makeSocket()
    guard withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      Foundation.close(descriptor)
      return nil
    }
    return LineSocket(descriptor)
  }

  /// Sends a line.
  func send(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    try sending.withLock { _ in
      var start = 0
      while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { rest in
          Foundation.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure("a socket") }
        start += count
      }
    }
  }

  /// Waits for the next line.
  ///
  /// - Parameter deadline: When to end the wait, by the monotonic clock; `nil` for never.
  /// - Returns: The line; `nil` when the other process is gone.
  /// - Throws: ``LabError/overdue(_:)``.
  func next(until deadline: UInt64?) throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var searched = 0
    while true {
      if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      searched = rest.count
      if let deadline { try wait(until: deadline) }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      rest += buffer[..<count]
    }
  }

  private func wait(until deadline: UInt64) throws {
    let now = MonotonicClock.now
    let milliseconds = deadline > now ? Int32((deadline - now) / 1_000_000 + 1) : 0
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&polled, 1, milliseconds) == 0 { throw LabError.overdue("an answer") }
  }

  private static func makeSocket() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure("a socket") }
    return descriptor
  }

  private static func failure(_ what: String) -> LabError {
    .command("\(what): \(String(cString: strerror(errno)))")
  }

  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafeBytes(of: address) { bytes in
      body(
        bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size)
      )
    }
  }
}
