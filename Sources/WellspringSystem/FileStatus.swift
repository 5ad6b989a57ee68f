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

  /// Reads the status of the file at `path`; `nil` when the file does not exist, or cannot be
  /// accessed.
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

/// The identity of a directory, and the time of the last change of its entries.
///
/// Creating, renaming and removing a file changes the stamp of its directory. So while the stamp
/// stays the same, each name in the directory leads to the same file.
package struct DirectoryStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  // Programs that copy files can set the modification time, but not the change time.
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the stamp of the directory at `path`; `nil` when it does not exist, or cannot be
  /// accessed.
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

/// The permissions of the process for a path.
package enum FileAccess {
  /// Returns whether the process may read the file at `path`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether the process may write to the file or the directory at `path`.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Returns whether the file system refuses to make files in a directory because it is read-only.
  ///
  /// After an error of the disk, the kernel makes a file system read-only without showing it in its
  /// permissions, so that only an attempt finds out. The file of the attempt has no name.
  package static func isReadOnlySystem(_ directory: String) -> Bool {
    // `O_TMPFILE`, which Swift does not import.
    let unnamed: Int32 = 0o20_200_000
    let descriptor = open(directory, O_RDWR | O_CLOEXEC | unnamed, 0o600)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EROFS
  }
}

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

/// Counts the writes of all processes to a file.
///
/// The modification time of the file is not a substitute, because its clock advances only every few
/// milliseconds. The kernel queues the inotify event of a write before the write returns. Several
/// writes may count as one.
package final class FileWrites: Sendable {
  private let descriptor: Int32

  /// Starts to count the writes to the file at `path`; `nil` when the kernel refuses the watch.
  package init?(path: String) {
    guard let descriptor = FileEvents.shared.countWrites(toFile: path) else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    FileEvents.shared.endCounting(descriptor)
  }

  /// A number that changes whenever the file is written.
  package var value: Int { FileEvents.shared.writes(descriptor) }
}
