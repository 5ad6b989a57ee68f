internal import Glibc

/// The file to watch.
///
/// This type never opens the file, because closing it would release the locks that this process
/// holds on it. https://www.sqlite.org/howtocorrupt.html
struct WatchedFile: Equatable, Sendable {
  /// The path, as the user gave it.
  let path: String

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether the file does not exist.
  var isMissing: Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private var isDirectory: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The message for a missing file.
  var missingMessage: String { "no such file: \(path)" }

  /// Returns the message for an error that concerns the file.
  func message(for error: any Error) -> String {
    if isMissing { return missingMessage }
    if isDirectory { return "\(path) is a directory" }
    return ErrorMessage.text(for: error, file: path)
  }
}
