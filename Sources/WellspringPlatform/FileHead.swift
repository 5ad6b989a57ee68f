internal import Glibc

/// Reads the beginning of a file. The file must carry no locks, so it must not be a database.
package enum FileHead {
  /// Returns the first byte of the file at `path`; `nil` when the file is empty or cannot be read.
  package static func firstByte(path: String) -> UInt8? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? byte : nil
  }
}
