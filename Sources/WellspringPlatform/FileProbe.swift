internal import Glibc

/// Queries which POSIX locks other processes hold on a file, without taking a lock, and reads the
/// file's bytes.
///
/// A probe needs a file descriptor, which must stay open: closing it would release all locks that
/// this process holds on the file. So there is one probe for each file, and it stays open until the
/// file has no name any more, because no process needs the file then.
package final class FileProbe: Sendable {
  // Guards the probes of all files.
  private static let probes = Lock<[FileStatus.Identity: FileProbe]>([:])

  private let descriptor: Int32

  private init?(path: String, identity: FileStatus.Identity) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    // The file at the path may have been replaced meanwhile. The descriptor of the new file stays
    // open too, for the reason above.
    var status = stat()
    guard fstat(descriptor, &status) == 0, UInt64(status.st_ino) == identity.inode,
      UInt64(status.st_dev) == identity.device
    else { return nil }
  }

  /// Returns the probe of the file at `path`; `nil` when the file cannot be read.
  package static func shared(path: String) -> FileProbe? {
    guard let identity = FileStatus(path: path)?.identity else { return nil }
    return probes.withLock { probes in
      if let known = probes[identity] { return known }
      for (identity, probe) in probes where probe.closeIfUnlinked() { probes[identity] = nil }
      let probe = FileProbe(path: path, identity: identity)
      probes[identity] = probe
      return probe
    }
  }

  /// Closes the descriptor if the file has no name any more, and returns whether it did.
  private func closeIfUnlinked() -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return false }
    close(descriptor)
    return true
  }

  /// Returns whether another process holds a write lock on a byte of the range, or whether that is
  /// unknown.
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

  /// Returns the first bytes of the file, fewer than `count` if the file is shorter.
  package func prefix(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }
}
