import Storage
import Testing

@testable import StorageTestSupport

/// Every adapter is tested on a live row, and on a copy that outlives the access.
@Suite struct RowAdapterTests {
  static let sql = "SELECT 1 AS id, 'cup' AS name, 2 AS id, 'shop' AS Name, NULL AS note"

  /// Runs a test on a live row, and on its copy after the access.
  func withRows(_ adapter: any RowAdapter, _ body: (Row) throws -> Void) throws {
    let copy = try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: Self.sql, adapter: adapter)
      let row = try #require(try cursor.next())
      try body(row)
      return row.copy()
    }
    try body(copy)
    #expect(copy.copy() === copy)
  }

  struct Expected: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let adapter: any RowAdapter
    let description: String
  }

  static let expected = [
    Expected(
      testDescription: "RangeRowAdapter",
      adapter: RangeRowAdapter(1..<3),
      description: "[name:'cup' id:2]"
    ),
    Expected(
      testDescription: "RangeRowAdapter, closed",
      adapter: RangeRowAdapter(0...0),
      description: "[id:1]"
    ),
    Expected(
      testDescription: "RangeRowAdapter, empty",
      adapter: RangeRowAdapter(5..<5),
      description: "[]"
    ),
    Expected(
      testDescription: "SuffixRowAdapter",
      adapter: SuffixRowAdapter(fromIndex: 2),
      description: "[id:2 Name:'shop' note:NULL]"
    ),
    Expected(
      testDescription: "SuffixRowAdapter at the end",
      adapter: SuffixRowAdapter(fromIndex: 5),
      description: "[]"
    ),
    Expected(testDescription: "EmptyRowAdapter", adapter: EmptyRowAdapter(), description: "[]"),
    Expected(
      testDescription: "ColumnMapping",
      adapter: ColumnMapping(["title": "NAME", "key": "id", "remark": "note"]),
      description: "[key:1 title:'cup' remark:NULL]"
    ),
    Expected(
      testDescription: "ColumnMapping of one column twice",
      adapter: ColumnMapping(["b": "id", "a": "id"]),
      description: "[a:1 b:1]"
    ),
    Expected(
      testDescription: "RenameColumnAdapter",
      adapter: RenameColumnAdapter { "x_" + $0 },
      description: "[x_id:1 x_name:'cup' x_id:2 x_Name:'shop' x_note:NULL]"
    ),
    Expected(
      testDescription: "ScopeAdapter",
      adapter: ScopeAdapter(["shop": SuffixRowAdapter(fromIndex: 2)]),
      description: "[id:1 name:'cup' id:2 Name:'shop' note:NULL]"
    ),
    Expected(
      testDescription: "ScopeAdapter with a base",
      adapter: ScopeAdapter(base: RangeRowAdapter(0..<2), scopes: ["shop": EmptyRowAdapter()]),
      description: "[id:1 name:'cup']"
    ),
  ]

  @Test(arguments: expected)
  func `A-040: an adapter presents a row in another form`(expected: Expected) throws {
    try withRows(expected.adapter) { row in
      #expect(row.description == expected.description)
      #expect(row.count == row.columnNames.count)
      #expect(row.unadapted.description == "[id:1 name:'cup' id:2 Name:'shop' note:NULL]")
    }
    try withDatabase { db throws in
      let rows = try Row.fetchAll(db, sql: Self.sql, adapter: expected.adapter)
      #expect(rows.map(\.description) == [expected.description])
      #expect(
        try Row.fetchOne(db, sql: Self.sql, adapter: expected.adapter)?.description
          == expected.description
      )
      #expect(try Row.fetchSet(db, sql: Self.sql, adapter: expected.adapter) == Set(rows))
    }
  }

  @Test func `values are read through an adapter, by index and by name`() throws {
    try withRows(SuffixRowAdapter(fromIndex: 2)) { row throws in
      #expect(row[0] == 2)
      #expect(row["ID"] == 2)
      #expect(row["name"] == "shop")
      #expect(row["note"] == String?.none)
      #expect(try row.decode(String.self, forColumn: "name") == "shop")
      #expect(try row.decode(Int.self, atIndex: 0) == 2)
      #expect(row.databaseValue(at: 2) == .null)
      #expect(row.hasNull(atIndex: 2))
      #expect(!row.hasColumn("missing"))
      let mismatch = #expect(throws: RowDecodingError.self) {
        try row.decode(Int.self, forColumn: "name")
      }
      #expect(mismatch?.column == "Name")
      #expect(mismatch?.availableColumns == ["id", "Name", "note"])
      for index in [-1, 3] {
        #expect(throws: RowDecodingError.self) { try row.decode(Int.self, atIndex: index) }
      }
    }
  }

  @Test func `records and values are fetched through an adapter`() throws {
    struct Shop: Decodable, Equatable, FetchableRecord {
      var id: Int
      var name: String
      var note: String?
    }
    try withDatabase { db throws in
      let sql = "\(Self.sql) UNION ALL SELECT 3, 'pot', 4, 'kiosk', 'new'"
      let suffix = SuffixRowAdapter(fromIndex: 2)
      let shops = [Shop(id: 2, name: "shop"), Shop(id: 4, name: "kiosk", note: "new")]
      #expect(try Shop.fetchAll(db, sql: sql, adapter: suffix) == shops)
      #expect(try Array(Shop.fetchCursor(db, sql: sql, adapter: suffix)) == shops)
      #expect(try Shop.fetchOne(db, sql: sql, adapter: suffix) == shops[0])
      #expect(try Int.fetchSet(db, sql: sql, adapter: suffix) == [2, 4])
      let statement = try db.makeStatement(sql: sql)
      #expect(try String.fetchAll(statement, adapter: RangeRowAdapter(1..<2)) == ["cup", "pot"])
    }
  }

  @Test func `ROW-16: scopes are separate rows`() throws {
    let adapter = ScopeAdapter(
      base: RangeRowAdapter(0..<2),
      scopes: [
        "shop": ScopeAdapter(
          base: RangeRowAdapter(2..<4),
          scopes: ["note": SuffixRowAdapter(fromIndex: 4)]
        ),
        "none": EmptyRowAdapter(),
      ]
    )
    try withRows(adapter) { row throws in
      #expect(row.scopes.names == ["none", "shop"])
      #expect(row.scopes.map { "\($0.name) \($0.row)" } == ["none []", "shop [id:2 Name:'shop']"])
      #expect(row.scopes["shop"]?["name"] == "shop")
      #expect(row.scopes["shop"]?.scopes["note"]?["note"] == String?.none)
      #expect(row.scopes["note"] == nil)
      #expect(row.scopesTree.names == ["note", "none", "shop"])
      #expect(row.scopesTree["note"]?.description == "[note:NULL]")
      #expect(row.scopesTree["x"] == nil)
      #expect(row.unscoped.scopes.isEmpty)
      #expect(row.unscoped.description == row.description)
      #expect(row.unscoped != row)
      #expect(row.unadapted.count == 5)
      #expect(
        row.debugDescription == """
          ▿ [id:1 name:'cup']
            unadapted: [id:1 name:'cup' id:2 Name:'shop' note:NULL]
            - none: []
            - shop: [id:2 Name:'shop']
              - note: [note:NULL]
          """
      )
      struct Shop: Decodable, FetchableRecord { var id: Int, name: String }
      #expect(try Shop(row: try #require(row.scopes["shop"])).name == "shop")
    }
  }

  @Test func `A-035: a row that holds only NULL reveals an outer join without a match`() throws {
    let adapter = ScopeAdapter(
      base: SuffixRowAdapter(fromIndex: 4),
      scopes: ["note": SuffixRowAdapter(fromIndex: 4)]
    )
    try withRows(adapter) { row in
      #expect(!row.containsNonNullValue)
      #expect(row.unadapted.containsNonNullValue)
    }
    try withRows(adapter.addingScopes(["shop": RangeRowAdapter(2..<4)])) { row in
      #expect(row.scopes.names == ["note", "shop"])
      #expect(row.containsNonNullValue)
      #expect(!row.unscoped.containsNonNullValue)
    }
  }

  @Test func `A-040: adapters split a row into parts`() throws {
    let parts = splittingRowAdapters(columnCounts: [2, 0, 2])
    let scopes = Dictionary(uniqueKeysWithValues: zip(["a", "b", "c", "d"], parts))
    try withRows(EmptyRowAdapter().addingScopes(scopes)) { row in
      #expect(
        row.scopes.map(\.row.description) == [
          "[id:1 name:'cup']", "[]", "[id:2 Name:'shop']", "[note:NULL]",
        ]
      )
    }
    #expect(splittingRowAdapters(columnCounts: []).count == 1)
  }

  @Test func `rows with different scopes differ`() throws {
    try withDatabase { db in
      func fetch(_ adapter: (any RowAdapter)?) throws -> Row {
        try #require(try Row.fetchOne(db, sql: Self.sql, adapter: adapter))
      }
      let plain = try fetch(nil)
      let scoped = try fetch(ScopeAdapter(["a": RangeRowAdapter(0..<1)]))
      #expect(try scoped == fetch(ScopeAdapter(["a": RangeRowAdapter(0..<1)])))
      #expect(scoped != plain)
      #expect(plain != scoped)
      #expect(try scoped != fetch(ScopeAdapter(["b": RangeRowAdapter(0..<1)])))
      #expect(try scoped != fetch(ScopeAdapter(["a": RangeRowAdapter(2..<3)])))
      #expect(try fetch(RangeRowAdapter(0..<5)) == plain)
      #expect(Set([plain, scoped, scoped.unscoped]).count == 2)
    }
  }

  /// Shows only the last column.
  struct LastColumn: RowAdapter {
    func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
      AdaptedRowLayout(columns: base.columns.suffix(1))
    }
  }

  struct Outside: RowAdapter {
    func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
      AdaptedRowLayout(columns: [AdaptedRowLayout.Column(baseIndex: 9, name: "x")])
    }
  }

  @Test func `a program can define a row adapter`() throws {
    try withRows(LastColumn()) { row in #expect(row.description == "[note:NULL]") }
  }

  static let mismatches: [(any RowAdapter, String)] = {
    let columns = "the columns are id, name, id, Name, note"
    return [
      (RangeRowAdapter(4..<6), "a row adapter requires the columns 4..<6: \(columns)"),
      (SuffixRowAdapter(fromIndex: 6), "a row adapter requires the columns from 6 on: \(columns)"),
      (ColumnMapping(["a": "b"]), "a column mapping requires the column b: \(columns)"),
      (
        ScopeAdapter(["a": ColumnMapping(["a": "b"])]),
        "a column mapping requires the column b: \(columns)"
      ),
      (Outside(), "a row adapter maps x to column 9: the query has 5 columns"),
    ]
  }()

  @Test(arguments: mismatches.indices)
  func `an adapter that does not fit is an error`(index: Int) throws {
    let (adapter, message) = Self.mismatches[index]
    try withDatabase { db throws in
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Row.fetchAll(db, sql: Self.sql, adapter: adapter)
      }
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Int.fetchCursor(db, sql: Self.sql, adapter: adapter).next()
      }
      // The statement is idle again.
      #expect(try Row.fetchOne(db, sql: Self.sql)?.count == 5)
    }
  }

  @Test func `the adapted row of a cursor changes with the cursor`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS a, column2 AS b FROM (VALUES (1, 2), (3, 4))"
      let cursor = try Row.fetchCursor(db, sql: sql, adapter: RangeRowAdapter(1..<2))
      let first = try #require(try cursor.next())
      let copy = first.copy()
      #expect(first["b"] == 2)
      #expect(try cursor.next() === first)
      #expect(first["b"] == 4)
      #expect(copy["b"] == 2)
      #expect(try Array(Row.fetchCursor(db, sql: sql, adapter: RangeRowAdapter(1..<2))).count == 2)
    }
  }
}
