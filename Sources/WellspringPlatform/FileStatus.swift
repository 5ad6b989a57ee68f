internal import Glibc

/// What `stat` tells of a file, without ever opening it.
///
/// A process must not open and close a SQLite file by itself: closing any descriptor drops all of
/// the POSIX locks that this process holds on that file.
/// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
package struct FileStatus: Hashable, Sendable {
  /// What makes a file the same file, whatever its name.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let identity: Identity
  package let size: Int64
  package let isDirectory: Bool
  /// The time of the last modification, in nanoseconds since 1970: not before, and not after the year 2262.
  package let modificationTime: Int64

  /// Reads the status of the file at `path`, or `nil` when it cannot be reached.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    let seconds = Int128(status.st_mtim.tv_sec)
    let time = seconds * 1_000_000_000 + Int128(status.st_mtim.tv_nsec)
    modificationTime = Int64(clamping: max(0, time))
  }
}

/// Names of files.
package enum FilePath {
  /// The absolute path of `path` with symbolic links resolved where the file exists, and of its
  /// directory where only that exists.
  package static func resolved(_ path: String) -> String {
    if let real = realPath(path) { return real }
    let (directory, name) = split(path)
    guard let realDirectory = realPath(directory) else { return path }
    return realDirectory == "/" ? "/" + name : realDirectory + "/" + name
  }

  /// The path as a part of a `file:` URI.
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

  /// The directory and the last component of `path`.
  package static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }

  private static func realPath(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
