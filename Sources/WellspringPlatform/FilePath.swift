internal import Glibc

/// Operations on the paths of files.
package enum FilePath {
  /// Returns the absolute path of `path`, without symbolic links.
  ///
  /// If the file does not exist, only its directory is resolved. If neither exists, the path is
  /// returned unchanged.
  package static func resolved(_ path: String) -> String {
    if let real = realPath(path) { return real }
    let (directory, name) = split(path)
    guard let realDirectory = realPath(directory) else { return path }
    return realDirectory == "/" ? "/" + name : realDirectory + "/" + name
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

  /// Returns what is too long for a database at `path`, whose journal has a longer name; `nil` if
  /// nothing is.
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

  private static func realPath(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
