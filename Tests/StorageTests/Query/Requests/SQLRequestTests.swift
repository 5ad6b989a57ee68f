import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct SQLRequestTests {
  private let sql = "SELECT id, name FROM player WHERE id = ?"

  @Test func `rows are read through the adapter, which can be replaced`() throws {
    try withPlayers { db throws in
      var request = SQLRequest<Row>(
        sql: sql,
        arguments: [1],
        adapter: ScopeAdapter(["player": SuffixRowAdapter(fromIndex: 1)])
      )
      let row = try #require(try request.fetchOne(db))
      #expect(row.scopes["player"] == ["name": "Arthur"])
      #expect(try request.asRequest(of: Row.self).fetchOne(db)?.scopes.count == 1)
      #expect(try request.fetchCount(db) == 1)
      request.adapter = ColumnMapping(["label": "name"])
      #expect(try request.fetchOne(db) == ["label": "Arthur"])
      request.adapter = nil
      #expect(try request.fetchOne(db) == ["id": 1, "name": "Arthur"])
    }
  }

  @Test func `a request without adapter reads plain rows`() {
    #expect(SQLRequest<Row>(sql: sql).adapter == nil)
    #expect(SQLRequest<Row>(literal: "SELECT \(1)").adapter == nil)
  }

  @Test func `only a cached request uses the statement of the connection`() throws {
    try withPlayers { db throws in
      let cached = try db.cachedStatement(sql: sql)
      func statement(cached: Bool) throws -> Statement {
        let request = SQLRequest<Row>(sql: sql, arguments: [1], cached: cached)
        return try request.makePreparedRequest(db).statement
      }
      #expect(try statement(cached: true) === cached)
      let other = try statement(cached: false)
      #expect(other !== cached)
      expectSQL(other, "SELECT id, name FROM player WHERE id = 1")
    }
  }

  @Test(arguments: [true, false])
  func `a parameter without a value is an error`(isCached: Bool) throws {
    try withPlayers { db throws in
      #expect(throws: DatabaseError.self) {
        try SQLRequest<Row>(sql: sql, cached: isCached).fetchAll(db)
      }
    }
  }

  @Test func `requests whose texts SQLite distinguishes are different`() {
    let texts = ["\u{E9}", "e\u{301}"]
    let literals = texts.map { SQLRequest<Row>(sql: "SELECT '\($0)'") }
    #expect(literals[0] != literals[1])
    let mixed = texts.map { SQLRequest<Row>(sql: "SELECT '\($0)', ?", arguments: [1]) }
    #expect(mixed[0] != mixed[1])
    let values = texts.map { SQLRequest<Row>("SELECT \($0)") }
    #expect(values[0] != values[1])
    let filters = texts.map { Table("item").filter(Column("name") == $0) }
    #expect(filters[0] != filters[1])
  }

  @Test func `requests with equal adapters are equal`() {
    func request(_ adapter: (any RowAdapter)?) -> SQLRequest<Row> {
      SQLRequest(sql: "SELECT 1, 2", adapter: adapter)
    }
    func scopes(from index: Int) -> ScopeAdapter {
      ScopeAdapter(["a": SuffixRowAdapter(fromIndex: index), "b": RangeRowAdapter(0..<1)])
    }
    let requests = [
      request(nil), request(SuffixRowAdapter(fromIndex: 1)),
      request(SuffixRowAdapter(fromIndex: 0)),
      request(RangeRowAdapter(0..<1)), request(EmptyRowAdapter()), request(scopes(from: 0)),
      request(scopes(from: 1)), request(ColumnMapping(["a": "1"])),
    ]
    #expect(Set(requests).count == requests.count)
    #expect(request(SuffixRowAdapter(fromIndex: 1)) == requests[1])
    #expect(Set(requests + [request(scopes(from: 1)), request(EmptyRowAdapter())]).count == 8)
  }

  @Test func `an adapter with a closure is equal to its copies`() {
    let request = SQLRequest<Row>(sql: "SELECT 1", adapter: RenameColumnAdapter { "a_" + $0 })
    let copy = request
    let other = SQLRequest<Row>(sql: "SELECT 1", adapter: RenameColumnAdapter { "a_" + $0 })
    #expect(copy == request && copy.hashValue == request.hashValue)
    #expect(other != request)
    #expect(Set([request, copy, other]).count == 2)
  }
}
