import Storage
import Testing

@testable import StorageTestSupport

/// Requests whose rows are changed: a request whose rows are not rows of a table is refused.
@Suite struct RowSelectionTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: QueryInterfaceRequest<Player>

    init(_ name: String, _ request: QueryInterfaceRequest<Player>) {
      testDescription = name
      self.request = request
    }
  }

  private static let leaders = CommonTableExpression<Player>(
    named: "player",
    request: Table<Player>("player").filter(Column("score") > 100)
  )

  private struct Longest: DatabaseAggregate {
    mutating func step(_ values: [DatabaseValue]) {}
    func finalize() -> (any DatabaseValueConvertible)? { nil }
  }

  private static let longest = DatabaseFunction("longest", aggregate: Longest.self)

  private static let refused = [
    Case("group", Player.select(\.score).group(\.score)),
    Case("group of all columns", Player.all().group(\.teamID)),
    Case("group in SQL", Player.all().group(sql: "teamID")),
    Case("group with having", Player.all().group(\.teamID).having { count($0.id) > 1 }),
    Case("group when connected", Player.all().groupWhenConnected { _ in [Column("teamID")] }),
    Case("group with a limit", Player.all().group(\.teamID).limit(1)),
    Case("having without group", Player.all().having { count($0.id) > 1 }),
    Case("an aggregate", Player.select { max($0.score) }),
    Case("an aggregate in Swift", Player.select { longest($0.name) }),
    Case("an aggregate in an expression", Player.select { (max($0.score) + 1).forKey("next") }),
    Case("distinct values", Player.select(\.teamID).distinct()),
    Case("distinct values with a limit", Player.select(\.teamID).distinct().limit(1)),
    Case("distinct values of a join", Player.select(\.teamID).joining(required: team).distinct()),
    Case("a common table expression", leaders.all().with(leaders)),
    Case("a table that a common table expression hides", Player.with(leaders)),
  ]

  private static let messages = [
    "the request groups the rows of player, and a group has no row of its own that could be changed: remove group(_:), or select the rows by a condition",
    "the request has a condition on groups of rows of player, which selects no rows that could be changed: use filter(_:) instead of having(_:)",
    "the request selects an aggregate of all rows of player, which is not a row that could be changed: remove it from the selection",
    "the request selects distinct rows without the primary key of player, so that several rows may be one of them: remove distinct(), or select the primary key too",
  ]

  private static let team = Player.belongsTo(Team.self)

  @Test(arguments: refused)
  private func `rows that are not rows of a table are not changed`(_ test: Case) throws {
    try withPlayers { db in
      let before = try Player.fetchAll(db)
      let changes: [() throws -> Void] = [
        { try test.request.deleteAll(db) },
        { _ = try test.request.deleteAndFetchAll(db) },
        { _ = try test.request.deleteAndFetchIds(db) },
        { try test.request.updateAll(db) { $0.score.set(to: 0) } },
        { _ = try test.request.updateAndFetchAll(db) { [$0.score.set(to: 0)] } },
      ]
      for change in changes {
        let error = #expect(throws: DatabaseError.self) { try change() }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        let message = error?.message ?? ""
        #expect(Self.messages.contains(message) || message.contains("change"), "\(message)")
      }
      try #expect(Player.fetchAll(db) == before)
    }
  }

  private static let accepted = [
    Case("group by the key", Player.all().groupByPrimaryKey()),
    Case("group by the column of the key", Player.all().group { [$0.id, $0.name] }),
    Case("distinct rows", Player.all().distinct()),
    Case("distinct values with the key", Player.select { [$0.name, $0.id] }.distinct()),
    Case("distinct rows of a join", Player.joining(required: team).distinct()),
    Case("columns", Player.select(\.name)),
    Case("columns in SQL", Player.select(sql: "MAX(id, 1)")),
    Case("a scalar maximum", Player.select { max($0.id, $0.score) }),
    Case("a window", Player.select { max($0.score).over() }),
    Case("an order", Player.order(\.name)),
    Case("an optional join", Player.joining(optional: team)),
  ]

  @Test(arguments: accepted)
  private func `rows of a table are changed`(_ test: Case) throws {
    try withPlayers { db in
      try #expect(test.request.updateAll(db) { $0.score.set(to: 0) } == 3)
      try #expect(test.request.deleteAll(db) == 3)
    }
  }

  private static let shown = [
    Case("including", Player.including(required: team)),
    Case("an optional row", Player.including(optional: team)),
    Case("an annotation", Player.annotated(withRequired: team.select(\.color))),
  ]

  @Test(arguments: shown)
  private func `associated rows are not returned`(_ test: Case) throws {
    try withPlayers { db in
      for fetch in [
        { _ = try test.request.deleteAndFetchAll(db) },
        { _ = try test.request.updateAndFetchAll(db) { [$0.score.set(to: 0)] } },
      ] {
        expectDatabaseError(
          .SQLITE_MISUSE,
          """
          a statement that changes rows of player returns columns of this table only, and not \
          team: use joining(required:) or joining(optional:) instead of including, or fetch the \
          rows by another request
          """,
          fetch
        )
      }
      try #expect(test.request.deleteAll(db) == 3)
    }
  }

  @Test func `rows are found by their row ids where keys are NULL`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE page (code TEXT PRIMARY KEY, parent TEXT);
          INSERT INTO page VALUES (NULL, 'a'), (NULL, 'b'), ('a', NULL)
          """
      )
      let pages = Table("page"), parents = TableAlias(name: "parents")
      let request = pages.all().join(
        CommonTableExpression<Row>(named: "parents", sql: "SELECT 'a' AS code"),
        on: parents[Column("code")] == pages[Column("parent")]
      ).with(CommonTableExpression<Row>(named: "parents", sql: "SELECT 'a' AS code"))
      try #expect(request.deleteAll(db) == 1)
      try #expect(String?.fetchAll(db, pages.select(Column("parent"))) == ["b", nil])
    }
  }

  @Test func `the expressions of an association are part of the statement`() throws {
    let chosen = CommonTableExpression<Row>(
      named: "chosen",
      sql: "SELECT id FROM team WHERE name = 'Reds'"
    )
    let team = Self.team.filter(chosen.contains(Column("id"))).with(chosen)
    let request = Player.joining(required: team)
    try withPlayers { db in
      try #expect(request.fetchAll(db).map(\.id) == [1, 2])
      try #expect(request.updateAll(db) { $0.score.set(to: 7) } == 2)
      let joined = TableAlias<Team>()
      let named = Player.joining(required: team.aliased(joined))
      try #expect(named.updateAll(db) { [$0.name.set(to: joined.name)] } == 2)
      try #expect(String.fetchAll(db, Player.select(Column("name"))) == ["Reds", "Reds", "Craig"])
      try #expect(request.deleteAll(db) == 2)
      try #expect(Player.fetchAll(db).map(\.id) == [3])
    }
  }

  @Test func `rows that an association's expression hides are not changed`() throws {
    let team = Self.team.with(Self.leaders)
    try withPlayers { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the rows of a common table expression cannot be changed: change those of a table, and \
        select them by a condition such as filter { ids.contains($0.id) }
        """
      ) { try Player.joining(required: team).deleteAll(db) }
    }
  }

  private static let opposite = Column("score") * -1
  private static let named = [
    Case("a new name", Player.annotated(with: opposite.forKey("rank")).order(Column("rank").desc)),
    Case(
      "the name of a column",
      Player.select(Column("id"), opposite.forKey("score")).order(Column("score").desc)
    ),
    Case(
      "a name in an expression",
      Player.annotated(with: opposite.forKey("rank")).order((Column("RANK") + 1).desc)
    ),
    Case(
      "the name of an associated column",
      Player.annotated(withRequired: team.select((Column("id") * -1).forKey("rank")))
        .order(Column("rank").desc, Column("score"))
    ),
  ]

  @Test(arguments: named)
  private func `the order of a limit knows named result columns`(_ test: Case) throws {
    let request = test.request.limit(1)
    try withPlayers { db in
      try #expect(request.asRequest(of: Row.self).fetchAll(db).map { $0["id"] } == [1])
      try #expect(request.updateAll(db) { $0.email.set(to: "first") } == 1)
      try #expect(Player.filter { $0.email == "first" }.fetchAll(db).map(\.id) == [1])
      try #expect(request.deleteAll(db) == 1)
      try #expect(Player.fetchAll(db).map(\.id) == [2, 3])
    }
  }
}
