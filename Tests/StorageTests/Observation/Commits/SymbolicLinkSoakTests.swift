import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Another process takes random steps of `ln`, `mv`, `cp` and `rm` on the way to a file.
@Suite struct SymbolicLinkSoakTests {
  /// Three versions of a database. One of them is at `current/db.sqlite`.
  private struct Versions {
    let directory = TemporaryDirectory()
    var generator: SeededGenerator
    private var number = 0

    var path: String { directory.file("current/db.sqlite") }

    init(seed: UInt64) throws {
      generator = SeededGenerator(seed: seed)
      for version in 1...3 {
        try SymbolicLinkTests.run("mkdir v\(version)", in: directory)
        try write(nextNumber(), to: "v\(version)/db.sqlite")
      }
      try SymbolicLinkTests.run("ln -s v1 current", in: directory)
    }

    mutating func nextNumber() -> Int {
      number += 1
      return number
    }

    func write(_ number: Int, to file: String) throws {
      try SQLiteShell.run(
        directory.file(file),
        """
        PRAGMA busy_timeout = 5000;
        CREATE TABLE IF NOT EXISTS t (n); DELETE FROM t; INSERT INTO t VALUES (\(number))
        """
      )
    }

    /// The value that another process reads at the path; `nil` if it finds no file.
    var content: Int? {
      guard FileStatus(path: path) != nil else { return nil }
      return (try? SQLiteShell.run("\(path)", "PRAGMA busy_timeout = 5000; SELECT n FROM t"))
        .flatMap { Int($0.split(separator: "\n").last ?? "") }
    }

    /// Takes a step, which may overwrite files in place, and returns it.
    mutating func step(overwrites: Bool) throws -> String {
      let version = "v\(generator.number(in: 1..<4))"
      var steps = [
        "ln -s \(version) new; rm -rf current; mv -T new current",
        "rm -rf old; [ -L current ] && ln -s \(version) new && mv -T new current || true",
        "rm -rf current; ln -s \(version) current",
        "rm -rf current; cp -r \(version) current",
        "rm -rf current",
        "rm -rf link; ln -s \(version) link; rm -rf current; ln -s link current",
        "rm -rf aside; mv current aside 2>/dev/null || true",
        "rm -rf current; mv aside current 2>/dev/null || true",
        "[ -d current ] && cp \(version)/db.sqlite new && mv new current/db.sqlite || true",
        """
        [ -d current ] && cp \(version)/db.sqlite file.sqlite && ln -s "$PWD/file.sqlite" new \
          && mv -T new current/db.sqlite || true
        """,
        "rm -f current/db.sqlite",
        "cp \(version)/db.sqlite new; mv new \(version)/db.sqlite",
        "write", "write", "write",
      ]
      if overwrites {
        steps.append(
          """
          [ -d current ] && cat \(version)/db.sqlite > copy && cat copy > current/db.sqlite || true
          """
        )
      }
      let step = generator.pick(from: steps)
      if step == "write" {
        if content != nil { try write(nextNumber(), to: "current/db.sqlite") }
      } else {
        try SymbolicLinkTests.run(step, in: directory)
      }
      for version in 1...3 where FileStatus(path: directory.file("v\(version)/db.sqlite")) == nil {
        try write(nextNumber(), to: "v\(version)/db.sqlite")
      }
      return step
    }
  }

  private static let number = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT n FROM t")
  }

  @Test func `soak: P3: a watcher shows what another process reads at the path`() async throws {
    var versions = try Versions(seed: Soak.seeds(1, inSuite: 1)[0])
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: versions.path, configuration: configuration)
    let latest = Lock<Int?>(nil)
    let cancellable = Self.number.start(
      in: pool,
      scheduling: .async(onQueue: .global())
    ) { _ in
    } onChange: { value in
      latest.withLock { $0 = value }
    }
    var steps: [String] = []
    for _ in 0..<Soak.size(10_000, inSuite: 100) {
      steps.append(try versions.step(overwrites: true))
      guard let content = versions.content else { continue }
      let start = ContinuousClock.now
      while latest.withLock({ $0 }) != content {
        guard ContinuousClock.now - start < Patience.limit else {
          let found = latest.withLock { $0 } ?? 0
          Issue.record("\(steps.suffix(5)) leads to \(content), not \(found)")
          return cancellable.cancel()
        }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    cancellable.cancel()
    try pool.close()
  }

  @Test func `soak: a write that succeeds is what another process reads at the path`() throws {
    var versions = try Versions(seed: Soak.seeds(1, inSuite: 1)[0] + 1)
    var queue = try DatabaseQueue(path: versions.path)
    var identity = FileStatus(path: versions.path)?.identity
    var counts = (succeeded: 0, failed: 0)
    for _ in 0..<Soak.size(10_000, inSuite: 100) {
      let step = try versions.step(overwrites: false)
      let number = versions.nextNumber()
      do {
        try queue.write { db in try db.execute(sql: "UPDATE t SET n = \(number)") }
        #expect(versions.content == number, "\(step)")
        counts.succeeded += 1
      } catch let error as DatabaseError {
        #expect(FileStatus(path: versions.path)?.identity != identity, "\(step): \(error)")
        #expect(error.extendedResultCode == .SQLITE_READONLY_DBMOVED, "\(step)")
        counts.failed += 1
        guard versions.content != nil else { continue }
        try queue.close()
        queue = try DatabaseQueue(path: versions.path)
        identity = FileStatus(path: versions.path)?.identity
      }
    }
    #expect(counts.succeeded > 0 && counts.failed > 0)
  }
}
