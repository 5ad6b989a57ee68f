internal import Synchronization
internal import WellspringPlatform

/// Whether the file that a pool has open is still what others find at its path. A commit to a file that has no
/// name is lost when it is closed.
final class FilePlace: Sendable {
  private let path: String
  private let identity: FileStatus.Identity?
  private let isLost = Atomic(false)

  /// - Parameter path: The file, which has just been opened.
  init(path: String) {
    self.path = path
    identity = FileStatus(path: path)?.identity
  }

  /// Why nothing can be observed or committed; `nil` while the file is where it was at the last look.
  var error: DatabaseError? {
    guard isLost.load(ordering: .acquiring) else { return nil }
    return DatabaseError(
      resultCode: .SQLITE_READONLY_DBMOVED,
      message: """
        the file was moved, removed or replaced by another one while it was open: close the database, and \
        open \(path) again
        """
    )
  }

  /// Looks whether the file is there.
  func check() {
    isLost.store(FileStatus(path: path)?.identity != identity, ordering: .releasing)
  }
}
