import CWellspringSQLite
import Foundation
import Storage
import Synchronization
import Testing
import TestSupport

/// Files that are removed, moved and replaced at random moments while they are written.
@Suite struct FilePlaceSoakTests {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case pool, queueWithWAL, queueWithJournal
    var testDescription: String { rawValue }

    func open(_ path: String) throws -> any DatabaseWriter {
      var configuration = Configuration()
      configuration.synchronous = .off
      switch self {
      case .pool: return try DatabasePool(path: path, configuration: configuration)
      case .queueWithWAL:
        configuration.journalMode = .wal
        return try DatabaseQueue(path: path, configuration: configuration)
      case .queueWithJournal: return try DatabaseQueue(path: path, configuration: configuration)
      }
    }

    /// The suffixes of the files that hold commits, or the locks.
    var suffixes: [String] { self == .queueWithJournal ? [""] : ["", "-wal", "-shm"] }
  }

  /// The errors of a connection that opens while a file is away. SQLite finds no file, or reads
  /// from another WAL than the index describes.
  static let readingErrors: Set<ResultCode> = [
    .SQLITE_READONLY_DBMOVED, .SQLITE_CANTOPEN, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_FSTAT,
  ]

  @Test(arguments: Kind.allCases, [false, true])
  func `soak: a write that succeeds is in the file at the path, whenever the file is moved`(
    kind: Kind,
    isObserved: Bool
  ) throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let database = try kind.open(path)
    try database.write { db in try db.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY)") }
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT max(id) FROM entry") ?? 0
    }
    let cancellable =
      isObserved
      ? observation.start(in: database, scheduling: .async(onQueue: .global())) { _ in
      } onChange: { _ in
      } : nil
    let log = MoveLog()
    let writer = try BackgroundWriter(database, log)
    // Opens connections at all moments.
    let reader = (database as? DatabasePool).map { BackgroundReader($0, writer) }
    var generator = SeededGenerator(seed: 20)
    var mover = FileMover(directory: directory)
    // Each suffix, with and without observers.
    let count = Soak.size(10_000, inSuite: 40)
    for _ in 0..<count {
      for _ in 0..<Int.random(in: 0..<2_000, using: &generator) { log.spin() }
      let suffix = kind.suffixes.randomElement(using: &generator)!
      let way = FileMover.Way.allCases.randomElement(using: &generator)!
      log.isAway = nil
      try mover.takeAway(suffix, way)
      log.isAway = true
      // At least one write runs while the file is away.
      writer.awaitWrites(1 + Int.random(in: 0..<2, using: &generator))
      log.isAway = nil
      try mover.putBack()
      log.isAway = false
      writer.awaitWrites(1)
    }
    let result = writer.end()
    let reads = reader?.end()
    cancellable?.cancel()
    #expect(result.falseSuccesses.prefix(3) == [])
    #expect(result.falseFailures.prefix(3) == [])
    // Without a WAL, the file may be back before the reason of SQLite's own error is searched for.
    #expect(result.errors.subtracting([.SQLITE_IOERR_FSTAT]) == [.SQLITE_READONLY_DBMOVED])
    if let reads {
      #expect(reads.stale.prefix(3) == [])
      #expect(reads.successCount > 0)
      #expect(reads.errors.subtracting(Self.readingErrors) == [])
    }
    try database.close()
    let found = try DatabaseQueue(path: path).read { db in
      try Set(Int.fetchAll(db, sql: "SELECT id FROM entry"))
    }
    #expect(result.succeeded.subtracting(found).sorted().prefix(3) == [])
    #expect(result.succeeded.count >= count)
  }
}

/// The knowledge of the writer about the file: a counter of changes, and whether the file is away.
final class MoveLog: Sendable {
  // The lowest bits: 0 for in place, 1 for away, 2 for "on the move".
  private let state = Atomic(0)

  /// Whether the file is away; `nil` while that changes.
  var isAway: Bool? {
    get { [false, true, nil][state.load(ordering: .sequentiallyConsistent) & 3] }
    set {
      let next = (state.load(ordering: .relaxed) | 3) + 1
      let bits = newValue.map { $0 ? 1 : 0 } ?? 2
      state.store(next | bits, ordering: .sequentiallyConsistent)
    }
  }

  var position: Int { state.load(ordering: .sequentiallyConsistent) }

  func spin() { _ = state.load(ordering: .sequentiallyConsistent) }
}

/// Takes a file away, in several ways, and puts it back.
struct FileMover {
  enum Way: CaseIterable {
    case deletion, move, replacement
  }

  let directory: TemporaryDirectory
  private var taken: String?

  init(directory: TemporaryDirectory) {
    self.directory = directory
  }

  private var kept: String { directory.path + "/kept" }

  mutating func takeAway(_ suffix: String, _ way: Way) throws {
    let path = directory.file() + suffix
    taken = path
    switch way {
    case .deletion:
      // The second name keeps the file, so that it can be put back.
      try check(link(path, kept))
      try check(unlink(path))
    case .move:
      try check(rename(path, kept))
    case .replacement:
      let other = directory.path + "/other"
      try check(link(path, kept))
      #expect(FileManager.default.createFile(atPath: other, contents: Data([1, 2, 3])))
      try check(rename(other, path))
    }
  }

  mutating func putBack() throws {
    guard let taken else { return }
    try check(rename(kept, taken))
  }

  private func check(_ status: Int32) throws {
    if status != 0 { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
  }
}

/// A thread that writes in all ways, one after the other.
final class BackgroundWriter: Sendable {
  struct Outcome {
    var succeeded: Set<Int> = []
    /// Writes that began and succeeded while the file was away.
    var falseSuccesses: [String] = []
    /// Writes that failed while the file was in its place.
    var falseFailures: [String] = []
    var errors: Set<ResultCode> = []
  }

  /// The id of the last write that has succeeded.
  let lastSuccess = Atomic(0)
  private let count = Atomic(0)
  private let isEnding = Atomic(false)
  private let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) private var outcome = Outcome()

  init(_ database: any DatabaseWriter, _ log: MoveLog) throws {
    Thread.detachNewThread { [self] in
      var generator = SeededGenerator(seed: 4)
      var id = 0
      while !isEnding.load(ordering: .acquiring) {
        id += 1
        let way = Self.ways[Int.random(in: 0..<Self.ways.count, using: &generator)]
        let before = (log.position, log.isAway)
        do {
          try way.write(database, id)
          outcome.succeeded.insert(id)
          lastSuccess.store(id, ordering: .sequentiallyConsistent)
          if before == (log.position, true) { outcome.falseSuccesses.append("\(id): \(way.name)") }
        } catch {
          let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_INTERNAL
          outcome.errors.insert(code)
          if before == (log.position, false) {
            outcome.falseFailures.append("\(id): \(way.name): \(error)")
          }
        }
        count.add(1, ordering: .sequentiallyConsistent)
      }
      done.signal()
    }
  }

  /// Waits until further writes have begun and ended.
  func awaitWrites(_ number: Int) {
    let target = count.load(ordering: .sequentiallyConsistent) + number + 1
    while count.load(ordering: .sequentiallyConsistent) < target { sched_yield() }
  }

  func end() -> Outcome {
    isEnding.store(true, ordering: .releasing)
    done.wait()
    return outcome
  }

  private struct Way {
    let name: String
    let write: @Sendable (any DatabaseWriter, Int) throws -> Void
  }

  private static let ways = [
    Way(name: "write") { database, id in
      try database.write { db in
        try db.execute(sql: "INSERT INTO entry VALUES (?)", arguments: [id])
      }
    },
    Way(name: "a statement on its own") { database, id in
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO entry VALUES (?)", arguments: [id])
      }
    },
    Way(name: "BEGIN and COMMIT") { database, id in
      try database.writeWithoutTransaction { db in
        try db.beginTransaction()
        try db.execute(sql: "INSERT INTO entry VALUES (?)", arguments: [id])
        try db.commit()
      }
    },
    Way(name: "a savepoint") { database, id in
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "SAVEPOINT a")
        try db.execute(sql: "INSERT INTO entry VALUES (?)", arguments: [id])
        try db.execute(sql: "RELEASE a")
      }
    },
    Way(name: "a statement that is reset before its end") { database, id in
      try database.writeWithoutTransaction { db in
        _ = try Int.fetchOne(
          db,
          sql: "INSERT INTO entry VALUES (?) RETURNING id",
          arguments: [id]
        )
      }
    },
    Way(name: "the raw handle") { database, id in
      try database.writeWithoutTransaction { db in
        let sql = "BEGIN IMMEDIATE; INSERT INTO entry VALUES (\(id)); COMMIT"
        let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
          sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil)
          // The commit hook refuses with a code of its own.
          throw DatabaseError(resultCode: .SQLITE_READONLY_DBMOVED)
        }
      }
    },
  ]
}

/// A thread that makes snapshots. Each snapshot opens a connection.
final class BackgroundReader: Sendable {
  struct Outcome {
    var successCount = 0
    /// Reads that have missed a write.
    var stale: [String] = []
    var errors: Set<ResultCode> = []
  }

  private let isEnding = Atomic(false)
  private let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) private var outcome = Outcome()

  init(_ pool: DatabasePool, _ writer: BackgroundWriter) {
    Thread.detachNewThread { [self] in
      // At least one read runs when nothing is moved any more.
      var isLast = false
      while !isLast {
        isLast = isEnding.load(ordering: .acquiring)
        let expected = writer.lastSuccess.load(ordering: .sequentiallyConsistent)
        do {
          let last = try pool.makeSnapshot().read { db in
            try Int.fetchOne(db, sql: "SELECT max(id) FROM entry") ?? 0
          }
          outcome.successCount += 1
          if last < expected { outcome.stale.append("\(last) instead of \(expected)") }
        } catch {
          let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_INTERNAL
          outcome.errors.insert(code)
        }
      }
      done.signal()
    }
  }

  func end() -> Outcome {
    isEnding.store(true, ordering: .releasing)
    done.wait()
    return outcome
  }
}
