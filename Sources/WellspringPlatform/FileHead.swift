internal import Glibc

/// The beginning of a file that carries no locks: never of a database.
package enum FileHead {
  /// The first byte of the file at `path`, or `nil` when there is none.
  package static func firstByte(path: String) -> UInt8? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? byte : nil
  }
}
