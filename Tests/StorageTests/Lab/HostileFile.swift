import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import TestSupport
import Testing
import WellspringSystem

/// A real database with one seeded damage, as an attacker or a bad disk would make it.
struct HostileFile {
  /// Where the damage is.
  enum Part: CaseIterable {
    case header
    case schemaText
    case pages
    case length
    /// The write-ahead log, whose checksums then do not fit.
    case log
    /// The write-ahead log with checksums that fit the damage.
    case checkedLog
  }

  /// The files of an intact database: its pages, and its write-ahead log, if it has one.
  struct Intact {
    var pages: [UInt8]
    var log: [UInt8]

    /// The number of items after each commit, from the first in the log on.
    static let itemCounts = Set([20, 21, 22, 23])
  }

  /// Makes a small database of nearly everything that SQLite can store.
  static func makeIntact(in directory: TemporaryDirectory) throws -> Intact {
    let path = directory.file("intact.sqlite")
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = 512;
          PRAGMA auto_vacuum = incremental;
          PRAGMA journal_mode = wal;
          PRAGMA wal_autocheckpoint = 0;
          CREATE TABLE item (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, picture BLOB,
            doubled AS (price * 2) STORED, CHECK (length(name) > 0)
          );
          CREATE TABLE entry (day TEXT, part INTEGER, note TEXT, PRIMARY KEY (day, part))
            WITHOUT ROWID;
          CREATE INDEX itemOnName ON item (name COLLATE NOCASE, price DESC) WHERE price > 1;
          CREATE VIEW cheap AS SELECT id, upper(name) AS name FROM item WHERE price < 5;
          CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, item REFERENCES item);
          CREATE TRIGGER logged AFTER INSERT ON item BEGIN
            INSERT INTO log (item) VALUES (new.id);
          END;
          CREATE VIRTUAL TABLE page USING fts5(text);
          CREATE VIRTUAL TABLE box USING rtree(id, low, high);
          """
      )
      for id in 1...20 {
        try db.execute(
          sql: "INSERT INTO item VALUES (?, ?, ?, randomblob(?))",
          arguments: [id, "item \(id)", Double(id) / 2, id * 60]
        )
        try db.execute(
          sql: "INSERT INTO entry VALUES (date('now'), ?, ?)",
          arguments: [id, String(repeating: "note ", count: id)]
        )
        try db.execute(
          sql: "INSERT INTO page VALUES (?); ",
          arguments: ["a cup of tea, number \(id)"]
        )
        try db.execute(sql: "INSERT INTO box VALUES (?, ?, ?)", arguments: [id, id, id + 5])
      }
      try db.execute(sql: "ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
      for id in 21...23 {
        try db.execute(
          sql: "INSERT INTO item VALUES (?, ?, ?, randomblob(300))",
          arguments: [id, "item \(id)", Double(id)]
        )
      }
    }
    return try Intact(pages: bytes(path), log: bytes(path + "-wal"))
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  var intact: Intact
  private var generator: SeededGenerator

  /// Damages one part of an intact database.
  init(_ intact: Intact, _ part: Part, seed: UInt64) {
    self.intact = intact
    generator = SeededGenerator(seed: seed)
    switch part {
    case .header: damage(\.pages, in: 0..<100)
    case .schemaText: damage(\.pages, in: 100..<(16 * 512))
    case .pages: damage(\.pages, in: 0..<intact.pages.count)
    case .length: cut()
    case .log: damage(\.log, in: 0..<intact.log.count)
    case .checkedLog:
      damage(\.log, in: 32..<intact.log.count)
      WALChecksums.repair(&self.intact.log)
    }
  }

  /// Writes the files. The index of the log is missing, as after a restart of the machine.
  func write(to path: String) throws {
    try Data(intact.pages).write(to: URL(fileURLWithPath: path))
    try Data(intact.log).write(to: URL(fileURLWithPath: path + "-wal"))
    try? FileManager.default.removeItem(atPath: path + "-shm")
  }

  private mutating func damage(_ file: WritableKeyPath<Intact, [UInt8]>, in range: Range<Int>) {
    for _ in 0..<generator.number(in: 1..<6) {
      let offset = generator.number(in: range)
      switch generator.number(in: 0..<6) {
      case 0:
        intact[keyPath: file][offset] ^= 1 << UInt8(generator.number(in: 0..<8))
      case 1:
        intact[keyPath: file][offset] = generator.pick([0, 1, 0x7F, 0x80, 0xFE, 0xFF])!
      case 2:
        for index in offset..<min(offset + generator.number(in: 1..<40), range.upperBound) {
          intact[keyPath: file][index] = UInt8(truncatingIfNeeded: generator.next())
        }
      case 3:
        // A number of four bytes, such as the number of a page.
        let number = generator.pick([0, 1, 2, 3, 5, 40, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])!
        for index in 0..<4 where offset + index < range.upperBound {
          intact[keyPath: file][offset + index] = UInt8(
            truncatingIfNeeded: number >> (24 - 8 * index)
          )
        }
      case 4:
        // Other bytes of the file, often a whole page.
        let count = generator.pick([8, 64, 512])!
        let source = generator.number(in: range)
        for index in 0..<count where max(offset, source) + index < range.upperBound {
          intact[keyPath: file][offset + index] = intact[keyPath: file][source + index]
        }
      default:
        let start = offset / 512 * 512
        for index in max(start, range.lowerBound)..<min(start + 512, range.upperBound) {
          intact[keyPath: file][index] = 0
        }
      }
    }
  }

  private mutating func cut() {
    if generator.chance(50) {
      intact.pages.removeLast(generator.number(in: 1..<intact.pages.count))
    } else if generator.chance(50) {
      intact.log.removeLast(generator.number(in: 1..<intact.log.count))
    } else {
      intact.pages += (0..<generator.number(in: 1..<3000)).map { _ in
        UInt8(truncatingIfNeeded: generator.next())
      }
    }
  }
}

extension HostileFile {
  /// Runs `body` on another thread, and waits for its end. An error of the database is expected,
  /// other errors are not.
  static func check(
    _ description: String,
    _ body: @escaping @Sendable () throws -> Void
  ) throws {
    let end = DispatchSemaphore(value: 0)
    let failure = Lock<(any Error)?>(nil)
    let thread = Thread {
      do { try body() } catch { failure.withLock { $0 = error } }
      end.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    guard end.wait(timeout: .now() + Patience.seconds) == .success else {
      throw Ledger.Damage("\(description): it hangs")
    }
    switch failure.withLock({ $0 }) {
    case nil, is DatabaseError, is RowDecodingError: break
    case let error?: Issue.record("\(description): \(error)")
    }
  }

  /// Waits until a pool has delivered all commits so far, on a thread that may block.
  static func waitUntilQuiet(_ pool: DatabasePool) {
    let isQuiet = DispatchSemaphore(value: 0)
    Task {
      try? await pool.quiesce()
      isQuiet.signal()
    }
    isQuiet.wait()
  }

  /// Takes a dump.
  final class Discarded: TextOutputStream {
    func write(_ string: String) {}
  }
}
