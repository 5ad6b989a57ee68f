import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// The descriptors that watch a file.
@Suite struct WatchedDescriptorsTests {
  /// The number of descriptors of this process for files in a directory, also for removed files.
  private func count(_ directory: TemporaryDirectory) throws -> Int {
    let descriptors = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: descriptors).filter { name in
      let path = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "\(descriptors)/\(name)"
      )
      return path?.contains(directory.path) == true
    }.count
  }

  enum Ending: CaseIterable, Sendable { case close, shutDown, release }

  @Test(arguments: ForeignFile.Journal.allCases, Ending.allCases)
  func `P9: none is left after the end`(
    journal: ForeignFile.Journal,
    ending: Ending
  ) async throws {
    let file = try ForeignFile(journal)
    func watch() async throws {
      let pool = try file.watch()
      let (recorder, cancellable) = Shop.items.record(in: pool)
      #expect(try await recorder.nextValue() == [.cup, .pot])
      // The last connection that closes locks the file for a moment.
      let patience = ["-cmd", ".timeout 5000"]
      try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1", options: patience)
      #expect(try await recorder.nextValue() == [.pot])
      try SQLiteShell.run(file.path, "INSERT INTO item VALUES (1, 'cup', 4)", options: patience)
      cancellable.cancel()
      switch ending {
      case .close: try pool.close()
      case .shutDown: try await pool.shutDown()
      case .release: break
      }
    }
    for _ in 0..<3 { try await watch() }
    // A connection that was replaced just before may be closed by another thread.
    try await eventually { (try? count(file.directory)) == 0 }
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a descriptor of a removed file is closed`(journal: ForeignFile.Journal) async throws {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    try SQLiteShell.run(file.path, "DELETE FROM item")
    #expect(try await recorder.nextValue() == [])
    for suffix in ["", "-wal", "-shm"] { unlink(file.path + suffix) }
    cancellable.cancel()
    try pool.close()
    #expect(try count(file.directory) == 0)
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `the locks of another connection stay, and its end closes the descriptors`(
    journal: ForeignFile.Journal
  ) async throws {
    let file = try ForeignFile(journal)
    let other = try DatabaseQueue(path: file.path)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN EXCLUSIVE; UPDATE item SET price = 5")
      cancellable.cancel()
      try pool.close()
      #expect(throws: SQLiteShell.Failure.self) {
        try SQLiteShell.run(file.path, "UPDATE item SET price = 6")
      }
      try db.execute(sql: "COMMIT")
    }
    try other.close()
    #expect(try count(file.directory) == 0)
    #expect(try SQLiteShell.run(file.path, "SELECT max(price) FROM item") == "5.0")
  }
}
