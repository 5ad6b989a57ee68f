import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct QueryInterfaceRequestPagesTests {
  /// Checks the SQL of the page after the first row.
  private func expectPage(
    of request: QueryInterfaceRequest<Player>,
    _ sql: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withPlayers { db throws in
      let next = try request.fetchPage(db, size: 1).next
      try expectSQL(db, sql, sourceLocation: sourceLocation) {
        _ = try request.fetchPage(db, after: next, size: 2)
      }
    }
  }

  // MARK: SQL

  @Test func `the first page has no condition`() throws {
    try withPlayers { db throws in
      let sql = #"SELECT *, "name", "id" FROM "player" ORDER BY "name", "id" LIMIT 3"#
      try expectSQL(db, sql) { _ = try Player.order(\.name).fetchPage(db, size: 2) }
    }
  }

  @Test func `columns without NULL in one direction are compared as a row value`() throws {
    try expectPage(
      of: Player.order(\.name).filter { $0.id > 0 },
      """
      SELECT *, "name", "id" FROM "player" \
      WHERE ("id" > 0) AND (("name", "id") > ('Arthur', 1)) \
      ORDER BY "name", "id" LIMIT 3
      """
    )
    try expectPage(
      of: Player.order(\.name.desc),
      """
      SELECT *, "name", "id" FROM "player" WHERE ("name", "id") < ('Craig', 3) \
      ORDER BY "name" DESC, "id" DESC LIMIT 3
      """
    )
  }

  @Test func `the primary key alone is one comparison`() throws {
    let sql = #"SELECT *, "id" FROM "player" WHERE "id" > 1 ORDER BY "id" LIMIT 3"#
    try expectPage(of: Player.all(), sql)
    try expectPage(of: Player.all().orderByPrimaryKey(), sql)
  }

  @Test func `mixed directions are alternatives behind a bound that an index can use`() throws {
    try expectPage(
      of: Player.order { [$0.name.desc, $0.id.asc] },
      """
      SELECT *, "name", "id" FROM "player" WHERE ("name" <= 'Craig') \
      AND (("name" < 'Craig') OR (("name" = 'Craig') AND ("id" > 3))) \
      ORDER BY "name" DESC, "id" ASC LIMIT 3
      """
    )
  }

  @Test func `NULL is compared as it is sorted`() throws {
    // The first row is Craig, whose score is NULL.
    try expectPage(
      of: Player.order(\.score),
      """
      SELECT *, "score", "id" FROM "player" \
      WHERE ("score" IS NOT NULL) OR (("score" IS NULL) AND ("id" > 3)) \
      ORDER BY "score", "id" LIMIT 3
      """
    )
    try expectPage(
      of: Player.order(\.score.desc),
      """
      SELECT *, "score", "id" FROM "player" WHERE ("score" < 1000) OR ("score" IS NULL) \
      OR (("score" = 1000) AND ("id" < 2)) ORDER BY "score" DESC, "id" DESC LIMIT 3
      """
    )
    try expectPage(
      of: Player.order(\.score.descNullsFirst),
      """
      SELECT *, "score", "id" FROM "player" \
      WHERE ("score" IS NOT NULL) OR (("score" IS NULL) AND ("id" < 3)) \
      ORDER BY "score" DESC NULLS FIRST, "id" DESC LIMIT 3
      """
    )
  }

  @Test func `a collation compares as it sorts`() throws {
    try expectPage(
      of: Player.order { $0.name.collating(.nocase) },
      """
      SELECT *, "name" COLLATE NOCASE, "id" FROM "player" \
      WHERE ("name" COLLATE NOCASE, "id") > ('Arthur', 1) \
      ORDER BY "name" COLLATE NOCASE, "id" LIMIT 3
      """
    )
  }

  @Test func `an index serves the order and the bound`() throws {
    try withPlayers { db throws in
      try db.execute(sql: "CREATE INDEX byName ON player (name)")
      for request in [
        Player.order(\.name), Player.order(\.name.desc), Player.order { [$0.name, $0.id.desc] },
      ] {
        let next = try request.fetchPage(db, size: 1).next
        let sql = try tracedStatements(db) { _ = try request.fetchPage(db, after: next, size: 1) }
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql.last ?? "")")
          .map { $0["detail"] as String }
        #expect(plan.contains { $0.contains("USING INDEX byName (name") }, "\(plan)")
      }
    }
  }

  // MARK: Results

  /// Returns the rows of all pages.
  private func pages<Element>(
    _ request: QueryInterfaceRequest<Element>,
    _ db: Database,
    size: Int
  ) throws -> [[Element]] where Element: Fetchable {
    var pages: [[Element]] = []
    var position: KeysetPosition?
    repeat {
      let page = try request.fetchPage(db, after: position, size: size)
      pages.append(page.rows)
      position = page.next
    } while position != nil && pages.count < 1_000
    return pages
  }

  @Test func `pages have all rows, and the last one has no next`() throws {
    try withPlayers { db throws in
      let request = Player.order(\.score.desc)
      #expect(try pages(request, db, size: 2).map { $0.map(\.id) } == [[2, 1], [3]])
      #expect(try pages(request, db, size: 3).map { $0.map(\.id) } == [[2, 1, 3]])
      #expect(try pages(request.none(), db, size: 3) == [[]])
    }
  }

  @Test func `the count is that of all pages`() throws {
    try withPlayers { db throws in
      let page = try Player.order(\.name).fetchPage(db, size: 1, isCounted: true)
      #expect(page.totalCount == 3)
      let last = try Player.order(\.name)
        .fetchPage(db, after: page.next, size: 5, isCounted: true)
      #expect(last.totalCount == 3 && last.rows.count == 2 && !last.hasNext)
      #expect(try Player.all().fetchPage(db, size: 1).totalCount == nil)
    }
  }

  @Test func `rows and values have the selected columns only`() throws {
    try withPlayers { db throws in
      let rows = Player.select(\.name).asRequest(of: Row.self).order(Column("score"))
      let page = try rows.fetchPage(db, size: 2)
      #expect(page.rows == [["name": "Craig"], ["name": "Arthur"]])
      let names = Player.order(\.score).select(\.name, as: String.self)
      #expect(try names.fetchPage(db, after: page.next, size: 2).rows == ["Barbara"])
    }
  }

  @Test func `a position stays valid when its row is gone`() throws {
    try withPlayers { db throws in
      let page = try Player.order(\.name).fetchPage(db, size: 2)
      try Player.deleteOne(db, key: 2)
      #expect(try Player.order(\.name).fetchPage(db, after: page.next, size: 2).rows == [.craig])
    }
  }

  @Test func `tables with any kind of key have pages`() throws {
    try withLeague { db throws in
      for (player, code) in [(1, "FR"), (1, "DE"), (2, "FR"), (3, "FR")] {
        try Citizenship(playerID: Int64(player), countryCode: code).insert(db)
      }
      // SQLite allows NULL in such a key, several times.
      for _ in 0..<3 { try db.execute(sql: "INSERT INTO citizenship VALUES (NULL, NULL)") }
      let citizenships = Table("citizenship").order(Column("countryCode").desc)
      #expect(try pages(citizenships, db, size: 2).joined().count == 7)
      for code in ["FR", "DE", "IT"] { try Country(isoCode: code, name: "x").insert(db) }
      let countries = try pages(Country.order(Column("name")), db, size: 1)
      #expect(countries.joined().map(\.isoCode) == ["DE", "FR", "IT"])
      for _ in 0..<5 { try db.execute(sql: "INSERT INTO note VALUES ('same')") }
      #expect(try pages(Table("note").order(Column("text")), db, size: 2).joined().count == 5)
    }
  }

  private static let lowercased = asciiLowercased(Column("name"))
  private static let named: [QueryInterfaceRequest<Player>] = [
    Player.select(Column("id"), lowercased.forKey("name")).order(Column("name")),
    Player.select(Column("id"), lowercased.forKey("name")).order(Column("NAME").desc),
    Player.select(Column("id"), (Column("id") * -1).forKey("name"))
      .order(Column("name").collating(.nocase).desc),
    Player.annotated(with: (Column("score") * -1).forKey("total"))
      .order(Column("total").desc, Column("id")),
    Player.annotated(with: (Column("score") * -1).forKey("total"))
      .order((Column("total") + 1).asc, Column("id")),
    Player.annotated(with: (Column("score") * -1).forKey("total"))
      .order(Column("total").detached.descNullsFirst, Column("id")),
    Player.select(Column("name").forKey("id"), Column("id").forKey("name")).order(Column("id")),
    Player.select(Column("name").forKey("id"), Column("id").forKey("name"))
      .order(Column("name").desc),
    Player.select(Column("name"), (Column("id") * -1).forKey("id")).order(Column("id")),
    Player.select(Column("name"), (Column("id") * -1).forKey("id")).orderByPrimaryKey(),
  ]

  @Test(arguments: named)
  func `pages are sorted by named result columns`(
    _ request: QueryInterfaceRequest<Player>
  ) throws {
    try withPlayers { db throws in
      try db.execute(
        sql: """
          DELETE FROM player;
          INSERT INTO player (id, name, score) VALUES
            (3, 'A', 5), (1, 'b', NULL), (4, 'c', -5), (2, 'Z', 5)
          """
      )
      let rows = request.asRequest(of: Row.self)
      let all = try rows.fetchAll(db)
      #expect(all.count == 4)
      for size in 1...4 {
        try #expect(pages(rows, db, size: size).flatMap(\.self) == all, "\(size)")
      }
    }
  }

  @Test func `the key completes the order, also where a result column has its name`() throws {
    try withPlayers { db throws in
      let rows = Player.select(Column("name"), (Column("id") * -1).forKey("id"))
        .order(Column("teamID")).asRequest(of: Row.self)
      let names = try pages(rows, db, size: 1).joined().map { $0["name"] as String }
      #expect(names == ["Arthur", "Barbara", "Craig"])
    }
  }

  // MARK: Errors

  @Test func `a position of another order is refused`() throws {
    try withPlayers { db throws in
      let next = try Player.order(\.name).fetchPage(db, size: 1).next
      for other in [Player.order(\.email), Player.order(\.name.desc), Player.all()] {
        #expect(throws: DatabaseError.self) {
          try other.fetchPage(db, after: next, size: 1)
        }
      }
      // The filter may change from page to page.
      let filtered = Player.order(\.name).filter { $0.id > 2 }
      #expect(try filtered.fetchPage(db, after: next, size: 1).rows == [.craig])
    }
  }

  @Test func `requests whose order cannot be unique are refused`() throws {
    try withPlayers { db throws in
      try db.execute(sql: "CREATE VIEW leader AS SELECT * FROM player")
      let players = Player.order(\.name)
      for request in [
        players.limit(10), players.distinct(), players.group(\.name), players.order(sql: "name"),
        Table<Player>("leader").all(),
      ] {
        let error = #expect(throws: DatabaseError.self) { try request.fetchPage(db, size: 1) }
        #expect(error?.message?.hasPrefix("the page cannot be fetched: ") == true)
      }
      #expect(throws: DatabaseError.self) { try players.fetchPage(db, size: 0) }
    }
  }

  @Test func `pages are observed`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: League.schema) }
    let pages = ValueObservation.tracking(
      KeysetPageRequest(Team.order(\.name), size: 1, isCounted: true)
    )
    let (recorder, cancellable) = pages.record(in: queue)
    #expect(try await recorder.nextValue() == KeysetPage(totalCount: 0))
    try await queue.write { db in try Team(id: 1, name: "Reds", color: nil).insert(db) }
    #expect(try await recorder.nextValue().rows.map(\.name) == ["Reds"])
    try await queue.write { db in try Team(id: 2, name: "Blues", color: nil).insert(db) }
    let page = try await recorder.nextValue()
    #expect(page.rows.map(\.name) == ["Blues"] && page.hasNext && page.totalCount == 2)
    cancellable.cancel()
  }
}
