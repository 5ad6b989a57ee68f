import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AsyncAccessTests {
  @Test func `A-004: asyncRead calls back with a connection in a transaction`() async throws {
    let shop = try Shop()
    let names = Recorder<[String]>()
    shop.pool.asyncRead { result in
      do {
        let db = try result.get()
        #expect(db.isInsideTransaction)
        names.append(try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id"))
      } catch {
        names.append(error: error)
      }
    }
    #expect(try await names.nextValue() == ["cup", "pot"])
    shop.pool.asyncUnsafeRead { result in
      names.append((try? result.get().isInsideTransaction) == false ? ["unsafe"] : [])
    }
    #expect(try await names.nextValue() == ["unsafe"])
  }

  @Test func `A-004: asyncWrite calls its completion after the transaction, with the result`()
    async throws
  {
    let shop = try Shop()
    let ends = Recorder<String>()
    struct Undo: Error {}
    shop.pool.asyncWrite { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
      return db.changesCount
    } completion: { db, result in
      ends.append("\((try? result.get()) ?? -1) \(db.isInsideTransaction)")
    }
    #expect(try await ends.nextValue() == "1 false")
    shop.pool.asyncWrite { db in
      try db.execute(sql: "DELETE FROM item")
      throw Undo()
    } completion: { db, result in
      let count = try? Int.fetchOne(db, sql: "SELECT count(*) FROM item")
      if case .failure(let error) = result { ends.append("\(count ?? -1) \(error is Undo)") }
    }
    #expect(try await ends.nextValue() == "1 true")
    shop.pool.asyncWriteWithoutTransaction { result in
      ends.append("\((try? result.get().isInsideTransaction) ?? true)")
    }
    #expect(try await ends.nextValue() == "false")
  }

  @Test func `asyncWriteWithoutTransaction reports that the database is read-only`() async throws {
    let shop = try Shop()
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: shop.path, configuration: configuration)
    let errors = Recorder<ResultCode?>()
    watcher.asyncWriteWithoutTransaction { db in
      do {
        try db.execute(sql: "DELETE FROM item")
      } catch {
        errors.append((error as? DatabaseError)?.resultCode)
      }
    }
    #expect(try await errors.nextValue() == .SQLITE_READONLY)
  }

  @Test func `asyncWriteWithoutTransaction calls back with a connection or with a result`()
    async throws
  {
    let shop = try Shop()
    let counts = Recorder<Int?>()
    shop.pool.asyncWriteWithoutTransaction { db in
      do {
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
      } catch {
        counts.append(error: error)
      }
      counts.append(db.changesCount)
    }
    #expect(try await counts.nextValue() == 1)
    shop.pool.asyncWriteWithoutTransaction { result in
      counts.append(try? Int.fetchOne(result.get(), sql: "SELECT count(*) FROM item"))
    }
    #expect(try await counts.nextValue() == 1)
  }
}
