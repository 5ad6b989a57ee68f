internal import Foundation

/// A directory for the databases of one benchmark.
final class Workspace {
  private let directory: URL

  /// Makes an empty directory among the temporary files.
  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("wellspring-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  /// Removes the directory, with all that is in it.
  func remove() {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Makes a database in WAL mode with the tables and rows that `fill` makes, and returns its path.
  func makeDatabase(_ name: String, fill: (RawConnection) throws -> Void) throws -> String {
    let path = directory.appendingPathComponent(name + ".sqlite").path
    try fill(RawConnection(path: path))
    return path
  }
}
