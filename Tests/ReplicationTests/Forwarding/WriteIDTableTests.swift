import Storage
import Testing
import TestSupport

@testable import Replication

/// The rows of forwarded writes in a file without a log.
@Suite struct WriteIDTableTests {
  private let queue: DatabaseQueue
  private let database = DatabaseID()

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { db in try ReplicationTable.create(db) }
  }

  /// Adds rows in a transaction at each time, and moves the place after it.
  private func add(_ times: [Int64], rows: Int = 1, keeping kept: Int64 = 100) throws -> [WriteID] {
    try times.flatMap { time in
      try queue.write { db in
        let ids = try (0..<rows).map { _ in
          let id = WriteID()
          let result = WriteResult.output([UInt8(time % 256)])
          try WriteIDTable.add(result, of: id, at: time, removingBefore: time - kept, db)
          return id
        }
        let sequence = (try ReplicationTable.read(db)?.position.sequence ?? 0) + 1
        try ReplicationTable.write(place(sequence), db)
        return ids
      }
    }
  }

  private func place(_ sequence: Int64) -> HistoryPosition {
    HistoryPosition(
      database: database,
      position: LogPosition(sequence),
      epoch: 1,
      commit: sequence,
      hash: EntryHash(of: [1])
    )
  }

  private func result(_ id: WriteID, begun sequence: Int64) throws -> WriteResult? {
    let request = WriteRequest(
      id: id,
      begun: WriteToken(epoch: 1, sequence: sequence),
      isRetry: true,
      name: "",
      body: []
    )
    return try queue.read { db in try WriteIDTable.result(of: request, db) }
  }

  private func times() throws -> [Int64] {
    try queue.read { db in
      try Int64.fetchAll(
        db,
        sql: "SELECT time FROM wellspring_writes WHERE number > 0 ORDER BY number"
      )
    }
  }

  @Test func `a result is found by its id, and is the only one`() throws {
    #expect(try result(WriteID(), begun: 0) == nil)
    let ids = try add([1, 2])
    #expect(try result(ids[0], begun: 0) == .output([1]))
    #expect(try result(ids[1], begun: 0) == .output([2]))
    #expect(try result(WriteID(), begun: 0) == nil)
    #expect(throws: DatabaseError.self) {
      try queue.write { db in
        try WriteIDTable.add(.output([]), of: ids[0], at: 3, removingBefore: 0, db)
      }
    }
  }

  @Test func `old rows are removed, and recent rows stay`() throws {
    let ids = try add(Array(0..<1000))
    // The rows of the last 100 times, and some that the next writes remove.
    let left = try times()
    #expect(left.last == 999)
    #expect(left.first! <= 900 && left.first! > 880)
    #expect(left == Array(left.first!...999))
    for (time, id) in ids.enumerated() where time >= left.first! {
      #expect(try result(id, begun: Int64(time)) != nil)
    }
  }

  @Test func `a request is looked up, or refused, and never taken for another one`() throws {
    let ids = try add(Array(0..<500))
    let first = try #require(try times().first)
    var refused = 0
    for (time, id) in ids.enumerated() {
      // The row of transaction `time` has begun when the log had `time` entries.
      do {
        #expect(try result(id, begun: Int64(time)) == .output([UInt8(time % 256)]))
        #expect(time >= first)
      } catch is WriteIDTable.TooLate {
        refused += 1
      }
    }
    #expect(refused == Int(first))
    // New requests are not refused.
    #expect(try result(WriteID(), begun: 400) == nil)
  }

  @Test func `rows of one large transaction go as well`() throws {
    _ = try add(Array(stride(from: 0, to: 2_000, by: 1000)), rows: 50)
    _ = try add(Array(10_000..<10_100))
    // The next place is not old.
    #expect(try times().count == 150)
    _ = try add(Array(20_000..<20_100))
    #expect(try times().first! >= 10_090)
  }

  @Test func `a request that has begun in the kept time is not refused, however rare writes are`()
    throws
  {
    _ = try add((0..<20).map { $0 * 1_000_000 })
    #expect(try times().count < 20)
    // It begins before a write, and arrives after it.
    _ = try add([20_000_000])
    #expect(try result(WriteID(), begun: 20) == nil)
  }

  @Test func `while commits wait for the log, rows have the place of the last one`() throws {
    _ = try add([1, 2])
    try queue.write { db in
      try Outbox.append(1, [], fingerprint: [], snapshotReason: nil, rowsBefore: "", db)
    }
    _ = try add([3, 4])
    let places = try queue.read { db in
      try Int64.fetchAll(db, sql: "SELECT sequence FROM wellspring_writes ORDER BY number")
    }
    #expect(places == [0, 0, 1, 1, 1])
  }

  @Test func `a clock that goes back delays the removal`() throws {
    _ = try add([10_000, 10, 20, 30, 40])
    #expect(try times() == [10_000, 10, 20, 30, 40])
    _ = try add(Array(10_200..<10_400))
    #expect(try times().first! > 10_280)
  }
}
