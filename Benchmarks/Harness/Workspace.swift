internal import Foundation

/// A directory for the databases of one benchmark.
final class Workspace {
  private let directory: URL

  /// Creates an empty directory among the temporary files.
  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("wellspring-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  /// Removes the directory and its content.
  func remove() {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Creates a database in WAL mode, fills it, and returns its path.
  func makeDatabase(_ name: String, fill: (RawConnection) throws -> Void) throws -> String {
    let path = path(name)
    try fill(RawConnection(path: path))
    return path
  }

  /// The path of a database that does not exist yet.
  func path(_ name: String) -> String { directory.appendingPathComponent(name + ".sqlite").path }
}
