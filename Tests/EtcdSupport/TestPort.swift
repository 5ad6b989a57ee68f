internal import Foundation

/// Ports for servers that tests start, stop and start again.
package enum TestPort {
  /// The locks of the ports, kept until the process ends.
  private nonisolated(unsafe) static var locks: [Int32] = []
  private static let lock = NSLock()

  /// Reserves a port until this process ends.
  ///
  /// No other process of the tests gets it, and no connection: the kernel takes the ports of
  /// connections from a range of its own. A server that is started again finds its port free.
  package static func reserve() -> UInt16 {
    let directory = NSTemporaryDirectory() + "wellspring-ports"
    mkdir(directory, 0o777)
    while true {
      let port = UInt16.random(in: range)
      let file = open("\(directory)/\(port)", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard file >= 0 else { fatalError("\(directory): \(String(cString: strerror(errno)))") }
      guard flock(file, LOCK_EX | LOCK_NB) == 0, isFree(port) else {
        close(file)
        continue
      }
      lock.withLock { locks.append(file) }
      return port
    }
  }

  /// The ports that the kernel gives to no connection.
  private static let range: Range<UInt16> = {
    let file = "/proc/sys/net/ipv4/ip_local_port_range"
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let bounds = text.split(whereSeparator: \.isWhitespace).compactMap { UInt16($0) }
    let first = bounds.first ?? 32_768
    // A machine whose range begins low leaves no better choice than a wide one.
    return first > 12_000 ? 10_240..<first : 10_240..<65_535
  }()

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return Loopback.withAddress(port) { bind(descriptor, $0, $1) } == 0
  }
}
