internal import Glibc

/// Asks which POSIX locks other processes hold on a file, without taking any.
///
/// It keeps the file open. When it is released, the file is closed, and this process loses all of the
/// locks that it holds on the file itself: nothing else of the process may lock the file then.
package final class FileLockProbe: Sendable {
  private let descriptor: Int32

  /// Opens the file at `path`, or returns `nil` when it cannot be read.
  package init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Whether another process holds a write lock on a byte of the range. What cannot be told counts as
  /// held.
  package func isWriteLocked(_ range: Range<Int>) -> Bool {
    var lock = flock()
    // A read lock conflicts with write locks only.
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(range.lowerBound)
    lock.l_len = off_t(range.count)
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }
}
