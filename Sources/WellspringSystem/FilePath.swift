internal import Glibc

/// Operations on the paths of files.
package enum FilePath {
  /// Where a path leads.
  package struct Trail: Hashable, Sendable {
    /// The symbolic links on the way. The directory of each has no links.
    package fileprivate(set) var links: [String] = []
    /// The absolute path without symbolic links. The file need not exist.
    package fileprivate(set) var path: String
  }

  /// Follows the symbolic links of `path`, also of a path to a missing file.
  package static func trail(of path: String) -> Trail {
    var trail = Trail(path: "")
    var rest = Array(absolute(path).split(separator: "/").reversed())
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        trail.path = String(trail.path[..<(trail.path.lastIndex(of: "/") ?? trail.path.startIndex)])
        continue
      }
      let next = "\(trail.path)/\(name)"
      guard trail.links.count < maximumLinks, let target = target(ofLink: next) else {
        trail.path = next
        continue
      }
      trail.links.append(next)
      if target.hasPrefix("/") { trail.path = "" }
      rest += target.split(separator: "/").reversed()
    }
    if trail.path.isEmpty { trail.path = "/" }
    return trail
  }

  /// Returns whether a component of an absolute path is a symbolic link.
  package static func hasLink(_ path: String) -> Bool {
    let count = path.utf8.count
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
      for (index, byte) in path.utf8.enumerated() { buffer[index] = CChar(bitPattern: byte) }
      buffer[count] = 0
      guard let start = buffer.baseAddress else { return false }
      let slash = CChar(bitPattern: UInt8(ascii: "/"))
      for end in 0...count where end == count || end > 0 && buffer[end] == slash {
        // The path ends here for a moment.
        let next = buffer[end]
        buffer[end] = 0
        var target: CChar = 0
        guard readlink(start, &target, 1) <= 0 else { return true }
        buffer[end] = next
      }
      return false
    }
  }

  /// As many links as the kernel follows, too.
  private static let maximumLinks = 40

  /// Returns the absolute path of `path`, without symbolic links. The file need not exist.
  package static func resolved(_ path: String) -> String { trail(of: path).path }

  /// Returns the absolute path of `path`, with its symbolic links.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return "\(String(cString: directory))/\(path)"
  }

  /// Returns the path encoded for a `file:` URI.
  package static func uriEncoded(_ path: String) -> String {
    var encoded = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": encoded += "%25"
      case "?": encoded += "%3f"
      case "#": encoded += "%23"
      default: encoded.unicodeScalars.append(scalar)
      }
    }
    return encoded
  }

  /// Returns the directory and the last component of `path`.
  package static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }

  /// Returns how a database at `path` exceeds a limit, because its journal has a longer name; `nil`
  /// if it exceeds none.
  package static func exceededLimit(_ path: String) -> String? {
    let ending = "-journal".utf8.count
    // `NAME_MAX`, and SQLite's limit of a path.
    let (longestName, longestPath) = (255, 512)
    let name = split(path).name
    if name.utf8.count > longestName - ending {
      return """
        its name has \(name.utf8.count) bytes, and the names of its journals may have \
        \(longestName): shorten it to \(longestName - ending)
        """
    }
    let count = resolved(path).utf8.count
    guard count > longestPath - ending - 1 else { return nil }
    return "its path has \(count) bytes, and SQLite takes \(longestPath - ending - 1)"
  }

  /// Returns the target of a symbolic link; `nil` for another file, and for a target that is not
  /// UTF-8.
  private static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, Int(PATH_MAX))
      guard count > 0 else { return nil }
      buffer[count] = 0
      return String(validatingCString: start)
    }
  }
}

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
