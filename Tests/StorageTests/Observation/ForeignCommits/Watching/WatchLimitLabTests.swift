import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// The kernel refuses to watch any file.
@Suite struct WatchLimitLabTests {
  private static let canLimit: Bool = {
    let process = try? ChildProcess(WatchingProcess.withoutWatches + ["true"])
    process?.endInput()
    return process?.wait() == 0
  }()

  @Test(.enabled(if: canLimit, "a user namespace is needed"), arguments: [true, false])
  func `without inotify watches, foreign commits are noticed all the same`(
    hasLog: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let writer = try DatabaseQueue(path: path)
    try await writer.writeWithoutTransaction { db in
      if hasLog { try db.execute(sql: "PRAGMA journal_mode = wal") }
      try db.execute(sql: "CREATE TABLE item (name)")
    }
    let watcher = try WatchingProcess(
      path,
      sql: "SELECT count(*) AS count FROM item",
      prefix: WatchingProcess.withoutWatches
    )
    #expect(await watcher.next().contains(#"{"count":0}"#))
    for number in 1...2 {
      try await writer.write { db in try db.execute(sql: "INSERT INTO item VALUES ('cup')") }
      #expect(await watcher.next().contains("{\"count\":\(number)}"))
    }
  }
}
