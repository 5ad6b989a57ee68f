import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Small versions of `Benchmarks many`, which shows the costs of much larger numbers.
@Suite struct ManyLabTests {
  private static let creation = "CREATE TABLE item (id INTEGER PRIMARY KEY, value INTEGER)"

  @Test func `observations go on when the process that writes is killed and replaced`() async throws
  {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let count = 100
    let queue = try DatabaseQueue(path: path)
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = wal")
      try db.execute(sql: Self.creation)
      for id in 1...count {
        try db.execute(sql: "INSERT INTO item VALUES (?, 0)", arguments: [id])
      }
    }
    try queue.close()
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    let recorders = (1...count).map { _ in Recorder<Int>() }
    let cancellables = recorders.enumerated().map { index, recorder in
      ValueObservation.tracking { db in
        try Int.fetchOne(
          db,
          sql: "SELECT sum(value) FROM item WHERE id IN (1, ?)",
          arguments: [index + 1]
        ) ?? -1
      }.start(
        in: pool,
        onError: { recorder.append(error: $0) },
        onChange: { recorder.append($0) }
      )
    }
    for recorder in recorders { #expect(try await recorder.nextValue() == 0) }
    for value in 1...2 {
      let writer = try SQLiteSession(path)
      await writer.run(".timeout 10000")
      #expect(await writer.run("UPDATE item SET value = \(value) WHERE id = 1") == "")
      for recorder in recorders {
        // Values in between may be skipped, errors may not occur.
        #expect(try await recorder.value(where: { $0 == value }) == value)
      }
      // The next writer recovers the transaction that this writer leaves.
      await writer.run("BEGIN; UPDATE item SET value = 1000")
      await writer.kill()
    }
    for cancellable in cancellables { cancellable.cancel() }
    try pool.close()
  }

  @Test func `a file of 64 GB is used behind its hole`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: Self.creation) }
    let pageSize = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_size") } ?? 0
    try queue.close()
    // https://www.sqlite.org/fileformat2.html#in_header_database_size
    let size = 64 << 30
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 28)
    try file.write(
      contentsOf: withUnsafeBytes(of: UInt32(size / pageSize).bigEndian) { Data($0) }
    )
    try file.truncate(atOffset: UInt64(size))
    try file.close()

    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE page (content BLOB)")
      try db.execute(sql: "INSERT INTO page VALUES (randomblob(100000))")
    }
    try pool.checkpoint(.truncate)
    try pool.close()
    let end = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(end ?? 0 > size)
    let length = try DatabaseQueue(path: path).read { db in
      try Int.fetchOne(db, sql: "SELECT length(content) FROM page")
    }
    #expect(length == 100_000)
  }

  @Test func `each of many tables is observed for itself`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    let count = 100
    try await pool.write { db in
      for number in 0..<count {
        try db.execute(sql: "CREATE TABLE t\(number) (value INTEGER)")
      }
    }
    let recorders = (0..<count).map { _ in Recorder<Int>() }
    let cancellables = recorders.enumerated().map { number, recorder in
      ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t\(number)") ?? -1
      }.start(
        in: pool,
        onError: { recorder.append(error: $0) },
        onChange: { recorder.append($0) }
      )
    }
    for recorder in recorders { #expect(try await recorder.nextValue() == 0) }
    for number in [0, count - 1] {
      try await pool.write { db in try db.execute(sql: "INSERT INTO t\(number) VALUES (1)") }
      #expect(try await recorders[number].nextValue() == 1)
    }
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs <= count + 2)
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `a large value is written, read and observed`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE page (content BLOB)")
      try db.execute(sql: "INSERT INTO page VALUES (?)", arguments: [content])
    }
    let recorder = Recorder<Data>()
    let cancellable = ValueObservation.tracking { db in
      try Data.fetchOne(db, sql: "SELECT content FROM page") ?? Data()
    }.start(
      in: pool,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
    #expect(try await recorder.nextValue() == content)
    let half = content.prefix(500_000)
    try await pool.write { db in
      try db.execute(sql: "UPDATE page SET content = ?", arguments: [half])
    }
    #expect(try await recorder.nextValue() == half)
    cancellable.cancel()
  }

  @Test func `a transaction of many rows is observed as one change`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in try db.execute(sql: Self.creation) }
    let recorder = Recorder<Int>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? -1
    }.start(
      in: pool,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
    #expect(try await recorder.nextValue() == 0)
    let count = 50_000
    try await pool.write { db in
      let statement = try db.makeStatement(sql: "INSERT INTO item (value) VALUES (?)")
      for value in 0..<count { try statement.execute(arguments: [value]) }
    }
    #expect(try await recorder.nextValue() == count)
    cancellable.cancel()
  }
}
