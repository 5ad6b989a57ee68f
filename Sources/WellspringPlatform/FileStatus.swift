internal import Glibc

/// The status of a file as reported by `stat`, which does not open the file.
///
/// Only SQLite may open and close a database file: closing any descriptor of the file releases all
/// POSIX locks that this process holds on it.
/// See section 2.2 of https://www.sqlite.org/howtocorrupt.html.
package struct FileStatus: Hashable, Sendable {
  /// The identity of a file, independent of its name.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let identity: Identity
  package let size: Int64
  package let isDirectory: Bool
  /// Whether the file is an ordinary one: no directory, FIFO, socket or device.
  package let isRegular: Bool
  /// The time of the last modification, in nanoseconds since 1970. Years after 2262 and before
  /// 1678 are clamped.
  package let modificationTime: Int64

  /// Reads the status of the file at `path`; `nil` when there is no file, or no access to it.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    isRegular = status.st_mode & S_IFMT == S_IFREG
    let seconds = Int128(status.st_mtim.tv_sec)
    let time = seconds * 1_000_000_000 + Int128(status.st_mtim.tv_nsec)
    modificationTime = Int64(clamping: Fault.isOn(.before1970) ? max(0, time) : time)
  }
}
