import Foundation
import Replication
import Storage
import Testing
import TestSupport

@Suite(.patient) struct WriteGroupTests {
  let nodes: TestNodes
  let log: SlowLog

  init() throws {
    nodes = try TestNodes()
    log = SlowLog(MemoryLog(sharing: nodes.log), microseconds: 3_000)
  }

  private func open() async throws -> ReplicatedDatabase {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let node = try await ReplicatedDatabase(path: nodes.path("one"), log: log, options: options)
    try await node.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, writer INTEGER, a INTEGER UNIQUE);
          CREATE TABLE child (
            parent INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED
          );
          """
      )
    }
    return node
  }

  @Test func `concurrent writes share the entries of the log`() async throws {
    let node = try await open()
    let before = log.appends
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<16 {
        group.addTask {
          for number in 0..<10 {
            try await node.write { db in
              try db.execute(
                sql: "INSERT INTO t (writer, a) VALUES (?, ?)",
                arguments: [writer, writer * 100 + number]
              )
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await node.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 160)
    #expect(log.appends - before <= 40)
    let replica = try await nodes.open("two", role: .replica)
    try await replica.catchUp(with: node)
    try expectEqual(node, replica)
    try node.close()
    try replica.close()
  }

  @Test func `writes of threads run on their threads, and share entries too`() async throws {
    let node = try await open()
    let before = log.appends
    let threads = (0..<16).map { writer in
      OwnThread.run {
        for number in 0..<10 {
          let thread = Thread.current
          try node.write { db in
            #expect(Thread.current === thread)
            try db.execute(
              sql: "INSERT INTO t (writer, a) VALUES (?, ?)",
              arguments: [writer, writer * 100 + number]
            )
          }
        }
      }
    }
    for thread in threads { try await thread.value }
    #expect(try await node.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 160)
    #expect(log.appends - before <= 40)
    try node.close()
  }

  @Test func `a write that fails undoes its own changes only`() async throws {
    let node = try await open()
    struct Refused: Error {}
    let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            try await node.write { db in
              try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
              switch number % 6 {
              case 0: throw Refused()
              case 1: try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
              // Only the commit would find out.
              case 2: try db.execute(sql: "INSERT INTO child VALUES (-1)")
              default: break
              }
            }
            return false
          } catch {
            return true
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 30)
    let values = try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
    #expect(values == (0..<60).filter { $0 % 6 > 2 })
    let replica = try await nodes.open("two", role: .replica)
    try await replica.catchUp(with: node)
    try expectEqual(node, replica)
    try node.close()
    try replica.close()
  }

  @Test func `a failing append undoes the whole group, and each write throws`() async throws {
    let memory = MemoryLog(sharing: nodes.log)
    let node = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: SlowLog(memory, microseconds: 3_000),
      options: TestNodes.options("one")
    )
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    memory.faults.isFull = true
    let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          do {
            try await node.write { db in
              try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
            }
            return false
          } catch ReplicationError.log(.full) {
            return true
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 20)
    memory.faults.isFull = false
    #expect(try await node.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    try node.close()
  }

  @Test func `a write that rolls back the group makes all of it throw, and writes nothing`()
    async throws
  {
    let node = try await open()
    let before = try await node.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    let succeeded = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<20 {
        group.addTask {
          do {
            try await node.write { db in
              try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
              if number == 10 {
                try db.execute(sql: "INSERT OR ROLLBACK INTO t (a) VALUES (?)", arguments: [10])
              }
            }
            return number
          } catch {
            return nil
          }
        }
      }
      return try await group.reduce(into: [Int]()) { numbers, number in
        if let number { numbers.append(number) }
      }
    }
    #expect(before == 0)
    #expect(!succeeded.contains(10))
    let values = try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
    #expect(values == succeeded.sorted())
    try node.close()
  }

  @Test func `a write inside a write throws instead of waiting for itself`() async throws {
    let node = try await open()
    await #expect(throws: DatabaseError.self) {
      try await node.write { _ in try node.write { _ in } }
    }
    try await OwnThread.run {
      _ = #expect(throws: DatabaseError.self) { try node.write { _ in try node.write { _ in } } }
    }.value
    try await node.write { try $0.execute(sql: "INSERT INTO t (a) VALUES (1)") }
    try node.close()
  }

  @Test func `a cancelled write that has not begun does not run`() async throws {
    let node = try await open()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await node.write { try $0.execute(sql: "INSERT INTO t (a) VALUES (1)") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await node.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    try node.close()
  }
}
