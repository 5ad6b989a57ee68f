import Foundation
import Sharing

/// A pool on a file in its own directory. Releasing it removes the directory.
final class TemporaryPool: Sendable {
  let pool: DatabasePool
  private let directory: URL

  init(_ configuration: Configuration = Configuration(), schema: String) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let path = directory.appending(path: "test.sqlite").path
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: schema) }
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: directory)
  }
}
