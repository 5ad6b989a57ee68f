internal import Glibc

/// The identity of a directory, and the time of the last change of its entries.
///
/// Creating, renaming and removing a file changes the stamp of its directory. So while the stamp
/// stays the same, each name in the directory stands for the same file.
package struct DirectoryStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  // Programs that copy files can set the modification time, but not the change time.
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the stamp of the directory at `path`; `nil` when there is none, or no access to it.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }

  /// Whether every later change of the directory changes the stamp, too.
  ///
  /// A file system has a clock that ticks. A change within the tick of the stamp does not change
  /// the stamp.
  package var isSettled: Bool {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    // Some file systems store full seconds, or two of them. Kernels tick at least every 10 ms.
    let tick: Int128 = nanoseconds == 0 ? 2_100_000_000 : 50_000_000
    let age =
      Int128(now.tv_sec - seconds) * 1_000_000_000 + Int128(now.tv_nsec - nanoseconds)
    return age > tick
  }
}
