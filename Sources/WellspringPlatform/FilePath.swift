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

  private static func realPath(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
