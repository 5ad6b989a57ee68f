internal import Foundation
internal import Glibc

/// A new directory that nobody else uses.
struct TemporaryDirectory {
  /// The absolute path.
  let path: String

  /// Makes the directory where the system keeps temporary files, with a name that begins with
  /// `prefix`.
  init(prefix: String) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolError("cannot make a directory in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Removes the directory with all that is in it.
  func remove() {
    // What cannot be removed is left to the system, which cleans its temporary files.
    try? FileManager.default.removeItem(atPath: path)
  }
}
