/// The file at a path whose symbolic links may be switched to other files.
package final class FollowedFile: Sendable {
  /// The path with its symbolic links.
  package let givenPath: String
  // Guards where the path led when it was followed last. The file system is read outside it.
  private let trail: Lock<FilePath.Trail>

  package init(_ givenPath: String) {
    self.givenPath = FilePath.absolute(givenPath)
    trail = Lock(FilePath.trail(of: self.givenPath))
  }

  /// The path without symbolic links, when it was followed last.
  package var path: String { trail.withLock { $0.path } }

  /// Follows the path again.
  @discardableResult
  package func follow() -> FilePath.Trail {
    let last = trail.withLock { $0 }
    // Most paths have no links, which takes little time to find out.
    if last.links.isEmpty, last.path == givenPath, !FilePath.hasLink(givenPath) { return last }
    let found = FilePath.trail(of: givenPath)
    trail.withLock { $0 = found }
    return found
  }
}
