import Foundation

/// A network device whose packets a process reads and writes. It ends with its descriptor.
///
/// See https://docs.kernel.org/networking/tuntap.html.
struct TunnelDevice: Sendable {
  let name: String
  let descriptor: Int32

  /// Makes a device in the namespace of this process. Another namespace may get it, and the
  /// descriptor stays.
  init(name: String) throws {
    let descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw LabError.notAllowed("/dev/net/tun: \(Self.reason)") }
    // `struct ifreq`: sixteen bytes of the name, and the flags IFF_TUN and IFF_NO_PI.
    var request = [UInt8](repeating: 0, count: 40)
    for (index, byte) in name.utf8.prefix(15).enumerated() { request[index] = byte }
    request[16] = 0x01
    request[17] = 0x10
    let setInterface: UInt = 0x4004_54CA
    guard ioctl(descriptor, setInterface, &request) == 0 else {
      defer { close(descriptor) }
      throw LabError.notAllowed("a device of /dev/net/tun: \(Self.reason)")
    }
    self.name = name
    self.descriptor = descriptor
  }

  private static var reason: String { String(cString: strerror(errno)) }

  /// Reads a packet; `nil` if none is waiting.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
    return count > 0 ? count : nil
  }

  /// Writes a packet, or loses it when the link is down.
  func write(_ packet: UnsafeRawBufferPointer) {
    _ = Foundation.write(descriptor, packet.baseAddress, packet.count)
  }
}
