internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc

/// A new directory for temporary files.
struct TemporaryDirectory {
  /// The absolute path.
  let path: String

  /// Creates the directory in the system's temporary directory, with a name that starts with
  /// `prefix`.
  init(prefix: String) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolError("cannot make a directory in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Removes the directory and its contents.
  func remove() {
    // The system cleans up temporary files that cannot be removed here.
    try? FileManager.default.removeItem(atPath: path)
  }
}
