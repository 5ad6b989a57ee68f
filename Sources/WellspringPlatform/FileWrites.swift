/// Counts the writes of all processes to a file.
///
/// The modification time of the file is no substitute, because its clock advances only every few
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
