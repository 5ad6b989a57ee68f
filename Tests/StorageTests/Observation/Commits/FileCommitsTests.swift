import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Several pools of this process on one file, which other processes may write too.
@Suite struct FileCommitsTests {
  private static let names = ValueObservation.tracking { db in
    try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id")
  }
  private static let others = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT count(*) FROM other") ?? 0
  }

  private static func shop() throws -> Shop {
    let shop = try Shop()
    try shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    return shop
  }

  @Test(arguments: [false, true])
  func `a commit of one pool runs only the queries of the other that it touches`(isReadonly: Bool)
    async throws
  {
    let shop = try Self.shop()
    var configuration = Configuration.patient
    configuration.readonly = isReadonly
    let second = try DatabasePool(path: shop.path, configuration: configuration)
    let (names, first) = Self.names.record(in: second)
    let (others, other) = Self.others.record(in: second)
    #expect(try await names.nextValue() == ["cup", "pot"])
    #expect(try await others.nextValue() == 0)
    // The pool may not know the file's state until the first write.
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET name = 'can'") }
    #expect(try await names.nextValue() == ["can", "can"])
    try await second.quiesce()
    let before = second.observationStatistics.runs
    for round in 0..<50 {
      try await shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET name = ? WHERE id = 2", arguments: ["\(round)"])
      }
      #expect(try await names.nextValue() == ["can", "\(round)"])
    }
    try await second.quiesce()
    #expect(second.observationStatistics.runs - before == 50)
    first.cancel()
    other.cancel()
  }

  /// Checks that an action of two pools runs no query of the table `other`.
  private func expectNoRuns(_ body: (_ shop: Shop, _ second: DatabasePool) async throws -> Void)
    async throws
  {
    let shop = try Self.shop()
    let second = try DatabasePool(path: shop.path, configuration: .patient)
    let (others, cancellable) = Self.others.record(in: shop.pool)
    #expect(try await others.nextValue() == 0)
    for pool in [shop.pool, second] {
      try await pool.write { db in try db.execute(sql: "UPDATE item SET price = 0") }
    }
    try await shop.pool.quiesce()
    let before = shop.pool.observationStatistics.runs
    try await body(shop, second)
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    try await shop.pool.write { db in try db.execute(sql: "INSERT INTO other VALUES (1)") }
    #expect(try await others.nextValue() == 1)
    cancellable.cancel()
  }

  @Test func `pools that write in turns do not take each other's commits for foreign ones`()
    async throws
  {
    try await expectNoRuns { shop, second in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for pool in [shop.pool, second] {
          group.addTask {
            for round in 1...200 {
              try await pool.write { db in
                try db.execute(sql: "UPDATE item SET price = ?", arguments: [round])
              }
              // A write that changes nothing.
              try await pool.write { _ in }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a commit of another process is found between those of two pools`() async throws {
    let shop = try Self.shop()
    let second = try DatabasePool(path: shop.path, configuration: .patient)
    let (others, cancellable) = Self.others.record(in: shop.pool)
    #expect(try await others.nextValue() == 0)
    for round in 1...20 {
      let pool = round.isMultiple(of: 2) ? shop.pool : second
      try await pool.write { db in try db.execute(sql: "UPDATE item SET price = 1") }
      try SQLiteShell.run(shop.path, "INSERT INTO other VALUES (1)")
      // The next writer takes the write lock right after a commit of another process.
      try await second.write { db in try db.execute(sql: "UPDATE item SET price = 2") }
      #expect(try await others.nextValue() == round)
    }
    cancellable.cancel()
  }

  @Test func `a checkpoint by another process runs nothing`() async throws {
    let shop = try Self.shop()
    let (names, cancellable) = Self.names.record(in: shop.pool)
    #expect(try await names.nextValue() == ["cup", "pot"])
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 1") }
    try await shop.pool.quiesce()
    let before = shop.pool.observationStatistics
    for mode in ["PASSIVE", "RESTART", "TRUNCATE"] {
      try SQLiteShell.run(shop.path, "PRAGMA wal_checkpoint(\(mode))")
      try await shop.pool.quiesce()
    }
    #expect(shop.pool.observationStatistics.commits == before.commits)
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 2") }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before.runs)
    cancellable.cancel()
  }

  @Test func `an undone write of a pool without observers wakes no other pool`()
    async throws
  {
    let attached = TemporaryDirectory()
    try SQLiteShell.run(attached.file("aux.sqlite"), "CREATE TABLE x (a)")
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "ATTACH '\(attached.file("aux.sqlite"))' AS aux")
    }
    let shop = try Self.shop()
    let second = try DatabasePool(path: shop.path, configuration: configuration)
    let (names, cancellable) = Self.names.record(in: shop.pool)
    #expect(try await names.nextValue() == ["cup", "pot"])
    try await shop.pool.quiesce()
    let before = shop.pool.observationStatistics.runs
    struct Undone: Error {}
    await #expect(throws: Undone.self) { try await second.write { _ in throw Undone() } }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    cancellable.cancel()
  }

  @Test func `closing a pool runs no query of another pool`() async throws {
    try await expectNoRuns { shop, second in
      try second.close()
      try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 1") }
    }
  }
}
