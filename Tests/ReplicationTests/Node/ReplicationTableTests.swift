import Storage
import Testing

@testable import Replication

@Suite struct ReplicationTableTests {
  @Test func `a file has no place until it is replicated`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      #expect(try ReplicationTable.read(db) == nil)
      try ReplicationTable.create(db)
      #expect(try ReplicationTable.read(db) == nil)
    }
  }

  @Test func `the place of a file is the last one that was committed`() throws {
    let queue = try DatabaseQueue()
    let id = DatabaseID()
    try queue.write { db in
      try ReplicationTable.create(db)
      try ReplicationTable.write(place(id, 4), db)
      try ReplicationTable.write(place(id, 5), db)
    }
    struct Undone: Error {}
    #expect(throws: Undone.self) {
      try queue.write { db in
        try ReplicationTable.write(place(id, 6), db)
        throw Undone()
      }
    }
    #expect(try queue.read(ReplicationTable.read) == place(id, 5))
  }

  @Test func `a place that was not written here is refused`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try ReplicationTable.create(db)
      try ReplicationTable.write(place(DatabaseID(), 4), db)
      try db.execute(sql: "UPDATE _replication SET hash = x'00'")
    }
    let error = #expect(throws: DatabaseError.self) { try queue.read(ReplicationTable.read) }
    #expect(error?.resultCode == .SQLITE_CORRUPT)
  }

  private func place(_ id: DatabaseID, _ sequence: Int64) -> HistoryPosition {
    HistoryPosition(
      database: id,
      position: LogPosition(sequence),
      epoch: 2,
      commit: sequence * 3,
      hash: EntryHash(of: [UInt8(sequence)])
    )
  }
}
