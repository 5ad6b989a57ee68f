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

  @Test func `the note of the first entry is the last one, until it is forgotten`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      // A file of 0.2.0 has no table for it.
      #expect(try ReplicationTable.genesis(db) == nil)
      try ReplicationTable.forgetGenesis(db)
      try ReplicationTable.create(db)
      #expect(try ReplicationTable.genesis(db) == nil)
      try ReplicationTable.write(genesis: [1, 2], db)
      try ReplicationTable.write(genesis: [3], db)
      #expect(try ReplicationTable.genesis(db) == [3])
      try ReplicationTable.forgetGenesis(db)
      #expect(try ReplicationTable.genesis(db) == nil)
    }
  }

  @Test func `a file has content if it has tables that are not of this library`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      #expect(try ReplicationTable.isAlone(db))
      try ReplicationTable.create(db)
      #expect(try ReplicationTable.isAlone(db))
      try db.execute(sql: "CREATE TABLE replication (a)")
      #expect(try !ReplicationTable.isAlone(db))
    }
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
