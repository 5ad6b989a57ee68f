import Dispatch
import Storage
import TestSupport
import Testing
import WellspringSystem

@testable import DemoCLI

@Suite struct ChangeSearchTests {
  /// Holds the first statement that calls the SQL function `gate()`.
  private final class Gate: Sendable {
    let isReached = DispatchSemaphore(value: 0)
    let opening = DispatchSemaphore(value: 0)
    private let isOpen = Lock(false)

    func pass() {
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = true }
        return isOpen
      }
      guard !wasOpen else { return }
      isReached.signal()
      opening.wait()
    }
  }

  private func find(_ search: ChangeSearch, _ pane: Pane, _ pool: DatabasePool) throws -> Int? {
    let isDone = DispatchSemaphore(value: 0)
    let found = Lock<Result<PaneMemory.Found?, any Error>?>(nil)
    search.next(pane, at: 0, forward: true, in: pool) { result in
      found.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    return try #require(found.withLock { $0 }).get()?.index
  }

  @Test
  func `a search reads the rows first if a key has interrupted the pass that was to remember them`()
    throws
  {
    let directory = TemporaryDirectory()
    let gate = Gate()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("gate", argumentCount: 1) { values in
          gate.pass()
          return values[0]
        }
      )
    }
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c');
          """
      )
    }
    let query = WatchedQuery.sql("SELECT id, gate(name) FROM item", key: ["id"])
    let pane = Pane(query: query, titles: ["items"])
    let search = ChangeSearch()
    let request = ComparisonRequest(query: query, isUrgent: true)
    search.compare(request, pane: 0, in: pool) { _ in }
    gate.isReached.wait()
    pool.interrupt()
    gate.opening.signal()
    #expect(try find(search, pane, pool) == nil)
    try pool.write { try $0.execute(sql: "UPDATE item SET name = 'x' WHERE id = 2") }
    #expect(try find(search, pane, pool) == 1)
  }
}
