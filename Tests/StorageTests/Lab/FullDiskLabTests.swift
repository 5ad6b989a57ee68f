import Foundation
import Recording
import Storage
import Testing
import TestSupport
import WellspringSystem

/// A real disk that is full: a small file system in memory.
@Suite(.enabled(if: SmallDisk.isPossible, "only the administrator can mount a file system"))
struct FullDiskLabTests {
  @Test(arguments: [true, false])
  func `on a full disk, writes fail whole, and go on when there is space`(hasLog: Bool) throws {
    let disk = try SmallDisk(kilobytes: 512)
    let path = disk.directory.file()
    let database: any DatabaseWriter & DatabaseReader =
      hasLog ? try DatabasePool(path: path) : try DatabaseQueue(path: path)
    try database.write { db in try db.execute(sql: "CREATE TABLE item (part, content)") }
    let last = Lock<Int?>(nil)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }.start(
      in: database,
      scheduling: .immediate,
      onError: { _ in },
      onChange: { count in last.withLock { $0 = count } }
    )
    func add() throws {
      try database.write { db in
        for part in 0..<2 {
          try db.execute(
            sql: "INSERT INTO item VALUES (?, zeroblob(20000))",
            arguments: [part]
          )
        }
      }
    }
    let filler = disk.directory.file("filler")
    try Data(count: 200_000).write(to: URL(fileURLWithPath: filler))
    var commits = 0
    var failure: DatabaseError?
    while failure == nil, commits < 100 {
      do {
        try add()
        commits += 1
      } catch let error as DatabaseError {
        failure = error
      }
    }
    #expect(failure?.resultCode == .SQLITE_FULL)
    #expect(failure?.message == "database or disk is full")
    // Reads continue, and see the committed rows.
    for _ in 0..<3 { #expect(throws: DatabaseError.self) { try add() } }
    let count = "SELECT count(*) FROM item"
    #expect(try database.read { db in try Int.fetchOne(db, sql: count) } == 2 * commits)
    try FileManager.default.removeItem(atPath: filler)
    try add()
    #expect(try database.read { db in try Int.fetchOne(db, sql: count) } == 2 * commits + 2)
    try database.quiesce()
    #expect(last.withLock { $0 } == 2 * commits + 2)
    let report = try database.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    #expect(report == ["ok"])
    cancellable.cancel()
    try database.close()
  }

  @Test func `a recorder is told of a commit that a full disk has undone`() throws {
    let disk = try SmallDisk(kilobytes: 1_024)
    let filler = disk.directory.file("filler")
    let pool = try DatabasePool(path: disk.directory.file())
    try pool.write { db in try db.execute(sql: "CREATE TABLE item (content)") }
    let recorder = CommitCounter()
    try pool.writeWithoutTransaction { db in try db.startRecording(recorder) }
    func add() throws {
      try pool.write { db in try db.execute(sql: "INSERT INTO item VALUES (zeroblob(200000))") }
    }
    recorder.beforeCommit = {
      // As much as there is space for.
      let file = open(filler, O_WRONLY | O_CREAT, 0o600)
      let page = [UInt8](repeating: 1, count: 4_096)
      while write(file, page, page.count) > 0 {}
      close(file)
    }
    #expect(throws: DatabaseError.self) { try add() }
    #expect(recorder.counts == [1, 0, 1])
    recorder.beforeCommit = nil
    try FileManager.default.removeItem(atPath: filler)
    try add()
    #expect(recorder.counts == [2, 1, 1])
    #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") } == 1)
    try pool.close()
  }
}

/// Counts the commits that were begun, done and undone.
private final class CommitCounter: TransactionRecorderDelegate {
  var counts = [0, 0, 0]
  var beforeCommit: (() -> Void)?

  func willCommit(_ transaction: RecordedTransaction, _ db: Database) {
    counts[0] += 1
    beforeCommit?()
  }
  func didCommit(_ db: Database) { counts[1] += 1 }
  func didRollBack(_ db: Database) { counts[2] += 1 }
}

/// A file system in memory of a limited size, which is unmounted when the object is released.
private final class SmallDisk {
  static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

  let directory = TemporaryDirectory()

  init(kilobytes: Int) throws {
    guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  deinit { umount2(directory.path, Int32(MNT_DETACH)) }
}
