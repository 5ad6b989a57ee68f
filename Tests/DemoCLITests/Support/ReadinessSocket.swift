import Foundation
import Glibc
import Testing

/// A socket that replaces the socket of a service manager. A tool sends to it that it is ready.
final class ReadinessSocket {
  /// The name of the socket, for `NOTIFY_SOCKET`.
  let name = "@wellspring-tests-\(UUID().uuidString)"
  private let socket: Int32
  private var hasBecomeReady = false

  init() throws {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    socket = Glibc.socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name that begins with zero is in no folder.
    let bytes = [0] + name.utf8.dropFirst()
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count
    let code = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(length))
      }
    }
    try #require(code == 0, "the socket \(name): \(String(cString: strerror(errno)))")
  }

  deinit { close(socket) }

  /// Whether the tool has said that it is ready.
  func isReady() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0, buffer.prefix(count).elementsEqual("READY=1".utf8) { hasBecomeReady = true }
    return hasBecomeReady
  }
}
