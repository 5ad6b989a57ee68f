internal import Synchronization
internal import WellspringPlatform

/// Whether a pool's open file is still the file at its path. A commit to a file without a name is
/// lost when the file is closed.
final class FilePlace: Sendable {
  private let path: String
  private let identity: FileStatus.Identity?
  private let isLost = Atomic(false)

  /// - Parameter path: The file, which has just been opened.
  init(path: String) {
    self.path = path
    identity = FileStatus(path: path)?.identity
  }

  /// The error that observations and commits report; `nil` if the file was in its place at the last
  /// check.
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

  /// Checks that the path still leads to the file.
  func check() {
    isLost.store(FileStatus(path: path)?.identity != identity, ordering: .releasing)
  }
}
