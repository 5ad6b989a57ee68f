internal import Glibc

/// The program that has started this process and waits until it is ready, such as systemd for a
/// unit with `Type=notify`.
enum ServiceManager {
  /// Says that this process is ready: each commit from now on is noticed.
  ///
  /// It sends the datagram that `sd_notify(3)` describes to the socket in `NOTIFY_SOCKET`. Without
  /// this variable, no program waits. If it cannot be sent, the service manager stops waiting by
  /// itself.
  static func notifyReady() {
    guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }) else { return }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    guard let (address, length) = socketAddress(name) else { return }
    _ = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(socket, "READY=1", 7, Int32(MSG_NOSIGNAL), address, length)
      }
    }
  }

  /// Returns the address of a socket: a path, or `@` and a name that is in no folder.
  private static func socketAddress(_ name: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard let first = bytes.first, [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first) else {
      return nil
    }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count
    return (address, socklen_t(length))
  }
}
