internal import Glibc

/// The file to watch.
///
/// The file is never opened here: closing it again would drop the locks that this process holds on
/// it. https://www.sqlite.org/howtocorrupt.html
struct WatchedFile: Equatable, Sendable {
  /// The path, as the user gave it.
  let path: String

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether there is no such file.
  var isMissing: Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private var isDirectory: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Says that the file is missing.
  var missingMessage: String { "no such file: \(path)" }

  /// Says what an error means for the file.
  func message(for error: any Error) -> String {
    if isMissing { return missingMessage }
    if isDirectory { return "\(path) is a directory" }
    return ErrorMessage.text(for: error, file: path)
  }
}
