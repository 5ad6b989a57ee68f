internal import Foundation

/// A directory for one test. It is deleted when the object is released.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "wellspring-\(UUID().uuidString)"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the directory.
  package func file(_ name: String = "test.sqlite") -> String { path + "/" + name }
}
