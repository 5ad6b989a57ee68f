import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("A query whose last value is patched") struct ElementsPatcherTests {
  private typealias Names = ElementsPatcher<SQLRequest<String>, String, [String]>

  /// A query, the rows that are recorded, and the numbers of the snapshots.
  private struct Patched {
    let patcher: Names
    let db: Database
    let recorded: RecordedRows
    var number = CommitNumber.none

    /// Commits a change, and fetches the value after it.
    mutating func fetch(
      after sql: String,
      knowsRows: Bool = true
    ) throws -> PatchedFetch<[String]> {
      let since = number
      number = number.next
      let changed = try recorded.rows { try db.execute(sql: sql) }
      let rows = changed.map { ChangedRows(since: since, $0.content) }
      return try fetch(knowsRows ? rows : nil)
    }

    func fetch(_ changed: ChangedRows? = nil) throws -> PatchedFetch<[String]> {
      try db.recordingRegion { try patcher.fetch(db, in: number, changed: changed) }.0.get()
    }
  }

  /// Keeps a value as an observation does, once its snapshot is known to be good.
  @discardableResult
  private func keep<Value>(
    _ fetch: PatchedFetch<Value>,
    _ equal: HeldValue<Value>? = nil
  ) throws -> Int {
    let keep = try #require(fetch.keep)
    return keep(equal)
  }

  private func withPatched(
    _ sql: String = "SELECT name FROM item ORDER BY price",
    _ body: (inout Patched) throws -> Void
  ) throws {
    try withDatabase(.patching) { db in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', 9), (3, 'jug', 6)")
      let recorded = try RecordedRows(of: ["item"], in: db)
      defer { recorded.end() }
      let patcher = Names(all: SQLRequest<String>(sql: sql))
      var patched = Patched(patcher: patcher, db: db, recorded: recorded)
      try body(&patched)
    }
  }

  @Test func `a value that is kept is patched, and says where it differs`() throws {
    try withPatched { patched in
      let first = try patched.fetch()
      #expect(first.value == ["cup", "jug", "pot"])
      #expect(first.isUnchanged == nil)
      #expect(!patched.patcher.isKept)
      let memory = try keep(first)
      #expect(memory > 0)
      #expect(patched.patcher.isKept)
      #expect(patched.patcher.plan?.description == "the rows of item")

      let second = try patched.fetch(after: "UPDATE item SET price = 1 WHERE id = 2")
      #expect(second.value == ["pot", "cup", "jug"])
      #expect(second.isUnchanged == false)
      let places = second.origin?.patch(since: first.origin)
      #expect(places == ElementsPatch(left: [2], arrived: [0]))
      try keep(second)

      let third = try patched.fetch(after: "UPDATE item SET price = 2 WHERE id = 2")
      #expect(third.value == second.value)
      #expect(third.isUnchanged == true)
      #expect(third.origin === second.origin)
    }
  }

  @Test func `a run that was discarded leaves nothing to patch`() throws {
    try withPatched { patched in
      try keep(patched.fetch())
      let discarded = try patched.fetch(after: "DELETE FROM item WHERE id = 1")
      #expect(discarded.isUnchanged == false)
      #expect(!patched.patcher.isKept)
      let next = try patched.fetch(after: "DELETE FROM item WHERE id = 2")
      #expect(next.isUnchanged == nil)
      #expect(next.value == ["jug"])
    }
  }

  @Test func `changes since another snapshot, and unknown ones, are not applied`() throws {
    try withPatched { patched in
      try keep(patched.fetch())
      let unknown = try patched.fetch(after: "DELETE FROM item WHERE id = 1", knowsRows: false)
      #expect(unknown.isUnchanged == nil)
      try keep(unknown)
      // As if a commit came between.
      patched.number = patched.number.next
      let later = try patched.fetch(after: "DELETE FROM item WHERE id = 2")
      #expect(later.isUnchanged == nil)
      #expect(later.value == ["jug"])
    }
  }

  @Test func `an equal value that subscribers hold is kept instead`() throws {
    try withPatched { patched in
      let first = try patched.fetch()
      let origin = ValueOrigin()
      let held = HeldValue(value: first.value, origin: origin)
      try keep(first, held)
      let second = try patched.fetch(after: "UPDATE item SET name = 'mug' WHERE id = 1")
      #expect(second.value == ["mug", "jug", "pot"])
      #expect(second.origin?.patch(since: origin) == ElementsPatch(left: [0], arrived: [0]))
    }
  }

  @Test func `a query that cannot be patched runs, and says why`() throws {
    try withPatched("SELECT name FROM item WHERE random() IS NOT NULL ORDER BY id") { patched in
      #expect(try patched.fetch().keep == nil)
      let second = try patched.fetch(after: "DELETE FROM item WHERE id = 2")
      #expect(second.value == ["cup", "jug"])
      #expect(second.isUnchanged == nil)
      #expect(patched.patcher.obstacle == .callsFunction("random"))
      #expect(patched.patcher.plan == nil)
    }
  }

  @Test func `a failed statement leaves the error, and nothing to patch`() throws {
    try withPatched("SELECT name FROM item WHERE json(name) IS NOT 1") { patched in
      try patched.db.execute(sql: "UPDATE item SET name = '1'")
      try keep(patched.fetch())
      #expect(throws: DatabaseError.self) {
        _ = try patched.fetch(after: "UPDATE item SET name = '{' WHERE id = 3")
      }
      #expect(!patched.patcher.isKept)
      let next = try patched.fetch(after: "UPDATE item SET name = '3' WHERE id = 3")
      #expect(next.value == ["1", "1", "3"])
    }
  }

  @Test func `the number of a request is patched`() throws {
    try withDatabase(.patching) { db in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', 9)")
      let recorded = try RecordedRows(of: ["item"], in: db)
      defer { recorded.end() }
      let patcher = ElementsPatcher(countOf: SQLRequest<Row>(sql: "SELECT * FROM item"))
      func fetch(_ number: UInt64, _ changed: ChangedRows?) throws -> PatchedFetch<Int> {
        try db.recordingRegion {
          try patcher.fetch(db, in: CommitNumber(number), changed: changed)
        }.0.get()
      }
      let first = try fetch(0, nil)
      #expect(first.value == 2)
      try keep(first)
      #expect(patcher.plan?.description == "the number of the rows of item")
      let changed = try recorded.rows { try db.execute(sql: "DELETE FROM item WHERE id = 1") }
      let second = try fetch(1, changed)
      #expect(second.value == 1)
      #expect(second.isUnchanged == false)
      try keep(second)
    }
  }

  @Test
  func `a patched run of an observed query leaves the statements as they are, and has no region`()
    throws
  {
    let request = SQLRequest<String>(sql: "SELECT name FROM item ORDER BY id")
    try withDatabase(.patching) { db throws in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', 9)")
      let recorded = try RecordedRows(of: ["item"], in: db)
      defer { recorded.end() }
      let patcher = ElementsPatcher(all: request)
      let fetcher = TypedQueryFetcher<[String]>(dropsEqualValues: true, patcher: patcher) { db, _ in
        try request.fetchAll(db)
      }
      let query = ObservedQuery(id: QueryID(0), fetcher: fetcher)
      let first = query.fetch(db, in: CommitNumber(1), isExact: true)
      #expect(!first.run.wasPatched)
      let region = try db.region(ofSQL: "SELECT name FROM item ORDER BY id")
      #expect(first.run.region == region)
      #expect(query.accept(first).mustDeliver)
      #expect(query.statements == ["SELECT name FROM item ORDER BY id"])
      // The first change leaves the value equal.
      let changes = [("price = 5", false), ("name = 'mug'", true)]
      for (number, (change, isNew)) in changes.enumerated() {
        let rows = try recorded.rows {
          try db.execute(sql: "UPDATE item SET \(change) WHERE id = 1")
        }
        let content = try #require(rows?.content)
        let since = CommitNumber(UInt64(number + 1))
        let changed = ChangedRows(since: since, content)
        let patched = query.fetch(db, in: since.next, isExact: true, changed: changed)
        #expect(patched.run.wasPatched)
        #expect(patched.run.region == nil)
        let delivery = query.accept(patched)
        #expect(delivery.mustDeliver == isNew)
        #expect(delivery.patchMemory > 0)
        #expect(query.statements == ["SELECT name FROM item ORDER BY id"])
      }
    }
  }
}
