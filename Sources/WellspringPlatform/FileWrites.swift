internal import Glibc

/// Counts the writes to a file, by whomever: what its time of modification cannot tell, whose clock ticks
/// every few milliseconds only.
///
/// The kernel queues the event of a write before the write returns (inotify). Several writes may count as
/// one.
package final class FileWrites: Sendable {
  private let inotify: Int32
  // Guards the count, and that events are counted once.
  private let count = Lock(0)

  /// Begins to count the writes to the file at `path`; `nil` when the kernel refuses to tell.
  package init?(path: String) {
    inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else { return nil }
    guard inotify_add_watch(inotify, path, UInt32(IN_MODIFY)) >= 0 else {
      close(inotify)
      return nil
    }
  }

  deinit {
    close(inotify)
  }

  /// A number that has changed when the file was written since it was asked for last.
  package var value: Int {
    count.withLock { count in
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while read(inotify, buffer.baseAddress!, buffer.count) > 0 { count += 1 }
      }
      return count
    }
  }
}
