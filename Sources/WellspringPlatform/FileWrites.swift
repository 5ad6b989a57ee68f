/// Counts the writes to a file, by whomever: what its time of modification cannot tell, whose clock ticks
/// every few milliseconds only.
///
/// The kernel queues the event of a write before the write returns (inotify). Several writes may count as
/// one.
package final class FileWrites: Sendable {
  private let descriptor: Int32

  /// Begins to count the writes to the file at `path`; `nil` when the kernel refuses to tell.
  package init?(path: String) {
    guard let descriptor = FileEvents.shared.countWrites(toFile: path) else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    FileEvents.shared.endCounting(descriptor)
  }

  /// A number that has changed when the file was written since it was asked for last.
  package var value: Int { FileEvents.shared.writes(descriptor) }
}
