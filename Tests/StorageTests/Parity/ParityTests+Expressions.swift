import Foundation
import Storage
import Testing

@testable import StorageTestSupport

extension ParityTests {
  /// Expressions and conditions, SQL literals, JSON, subqueries, and the regions of requests.
  static let expressions: [ParityLine] = [
    .same(.api(3), #"let names: [String] = try Player.select(Column("name")).fetchAll(db)"#) {
      try withPlayers { db throws in
        let names: [String] = try Player.select(Column("name")).fetchAll(db)
        let sorted: [String] = try Player.select { $0.name }.order(Column("name").desc).fetchAll(db)
        let scores: Set<Int> = try Player.filter { $0.score != nil }.select([Column("score")])
          .fetchSet(db)
        #expect(names == ["Arthur", "Barbara", "Craig"])
        #expect(sorted == names.reversed())
        #expect(scores == [100, 1000])
        let rows: [Row] = try Player.select(sql: "name, score").fetchAll(db)
        #expect(rows.map(\.count) == [2, 2, 2])
        #expect(try Player.select(.allColumns).fetchAll(db) == [.arthur, .barbara, .craig])
      }
    },
    .same(.api(3), "select(max(column)).fetchOne(db) as Int?") {
      try withPlayers { db throws in
        let maximum: Int? = try Player.select(max(Column("score"))).fetchOne(db)
        #expect(maximum == 1000)
        #expect(try Player.select { max($0.score) }.fetchOne(db) as Int? == 1000)
        #expect(try Player.select(literal: "MIN(score, \(10))").fetchOne(db) as Int? == 10)
        #expect(try Player.select(max(Column("score")), as: Int.self).fetchOne(db) == 1000)
        #expect(try Int.fetchOne(db, Player.select(max(Column("score")))) == 1000)
        #expect(try String.fetchAll(db, Player.select(Column("name"))).count == 3)
      }
    },
    .same(.api(3), "select([…], as:), select(sql:as:), select(literal:as:)") {
      try withPlayers { db throws in
        let columns = [Column("name"), Column("score")]
        #expect(try Player.select(columns, as: Row.self).fetchOne(db)?.count == 2)
        #expect(try Player.select(sql: "COUNT(*)", as: Int.self).fetchOne(db) == 3)
        #expect(try Player.select(literal: "\(1) + 1", as: Int.self).fetchOne(db) == 2)
        try expectSQL(
          request: Player.select(columns).order([Column("name").desc]),
          #"SELECT "name", "score" FROM "player" ORDER BY "name" DESC"#
        )
      }
    },
    .same(.api(3), "Player.selectPrimaryKey()") {
      try withPlayers { db throws in
        let ids: Set<Int64> = try Player.selectPrimaryKey().fetchSet(db)
        let first: Int64? = try Player.order(Column("id")).selectPrimaryKey()
          .fetchOne(db)
        #expect(ids == [1, 2, 3] && first == 1)
        #expect(try Player.selectPrimaryKey(as: Int64.self).fetchCount(db) == 3)
        try expectSQL(
          request: Citizenship.selectPrimaryKey(),
          #"SELECT "playerID", "countryCode" FROM "citizenship""#
        )
      }
    },
    .same(.api(12), "SQLRequest(sql:arguments:adapter:cached:), (literal:…), .adapter") {
      try withPlayers { db throws in
        let request = SQLRequest<Int>(
          sql: "SELECT id, score FROM player WHERE id = ?",
          arguments: [2],
          adapter: SuffixRowAdapter(fromIndex: 1),
          cached: true
        )
        #expect(try request.fetchAll(db) == [1000])
        #expect(request.adapter is SuffixRowAdapter)
        let name = SQLRequest<String>(
          literal: "SELECT id, name FROM player WHERE id = \(3)",
          adapter: SuffixRowAdapter(fromIndex: 1),
          cached: false
        )
        #expect(try name.fetchOne(db) == "Craig")
      }
    },
    .same(.api(13), #""\(Player.self) \(tableOf: player) \(Table("player"))""#) {
      try expectSQL(
        request: "SELECT * FROM \(Player.self), \(tableOf: Player.arthur) b, \(Table("player")) c"
          as SQLRequest<Row>,
        #"SELECT * FROM "player", "player" b, "player" c"#
      )
    },
    .same(.api(13), #""\(columnsOf: Player.self, tableAlias: "p")""#) {
      try expectSQL(
        request: "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM player p"
          as SQLRequest<Player>,
        #"SELECT "p".* FROM player p"#
      )
    },
    .same(.api(13), #""WITH \(definitionFor: cte) SELECT * FROM \(cte)""#) {
      let leaders = CommonTableExpression<Player>(
        named: "leader",
        request: Player.filter { $0.score >= 1000 }
      )
      try withPlayers { db in
        let request: SQLRequest<Player> = """
          WITH \(definitionFor: leaders) SELECT * FROM \(leaders)
          """
        try #expect(request.fetchAll(db) == [.barbara])
      }
    },
    .same(.api(13), #""ORDER BY name COLLATE \(.nocase)""#) {
      try expectSQL(
        request: "SELECT * FROM player ORDER BY name COLLATE \(.nocase)" as SQLRequest<Player>,
        "SELECT * FROM player ORDER BY name COLLATE NOCASE"
      )
    },
    .documented(
      .api(15),
      "filter(column > 1 && true), filter(column > 1 || flag)",
      "`column > 1 && flag.databaseValue`"
    ),
    .same(.api(15), "filter(true), filter(true.databaseValue)") {
      try expectSQL(request: Player.filter(true), #"SELECT * FROM "player" WHERE 1"#)
      try expectSQL(request: Player.filter(true.databaseValue), #"SELECT * FROM "player" WHERE 1"#)
    },
    .same(.api(15), "filter(nil == column)") {
      try expectSQL(
        request: Player.filter(nil == Column("email")),
        #"SELECT * FROM "player" WHERE "email" IS NULL"#
      )
    },
    .same(.api(15), #"filter(Column("isActive") == true)"#) {
      try expectSQL(
        request: Player.filter(Column("score") == true),
        #"SELECT * FROM "player" WHERE "score" = 1"#
      )
    },
    .same(.api(17), "Database.jsonSet(_:_:), jsonPatch(_:with:), jsonRemove(_:atPaths:), …") {
      let info = JSONColumn("name")
      try expectSQL(Database.jsonSet(info, ["$.a": 1]), #"JSON_SET("name", '$.a', 1)"#)
      try expectSQL(Database.jsonInsert(info, ["$.a": 1]), #"JSON_INSERT("name", '$.a', 1)"#)
      try expectSQL(Database.jsonReplace(info, ["$.a": 1]), #"JSON_REPLACE("name", '$.a', 1)"#)
      try expectSQL(Database.jsonPatch(info, with: "{}"), #"JSON_PATCH("name", '{}')"#)
      try expectSQL(Database.jsonRemove(info, atPath: "$.a"), #"JSON_REMOVE("name", '$.a')"#)
      try expectSQL(Database.jsonRemove(info, atPaths: ["$.a"]), #"JSON_REMOVE("name", '$.a')"#)
      try expectSQL(Database.jsonQuote("a"), "JSON_QUOTE('a')")
      try expectSQL(
        Database.jsonArrayLength(info, atPath: "$.a"),
        #"JSON_ARRAY_LENGTH("name", '$.a')"#
      )
      try expectSQL(
        Database.jsonGroupObject(key: Column("id"), value: info, filter: Column("id") > 1),
        #"JSON_GROUP_OBJECT("id", JSON("name")) FILTER (WHERE "id" > 1)"#
      )
    },
    .same(.api(17), "column.asJSON, jsonExtract(atPath:), jsonRepresentation(atPath:)") {
      let info = Column("name").asJSON
      try expectSQL(info["a"], #""name" ->> 'a'"#)
      try expectSQL(info.jsonExtract(atPath: "$.a"), #"JSON_EXTRACT("name", '$.a')"#)
      try expectSQL(info.jsonRepresentation(atPath: "$.a"), #""name" -> '$.a'"#)
    },
    .same(.api(24), "func f(_ request: some FetchRequest) { filter { request.contains($0.id) } }") {
      func among(_ request: some FetchRequest) -> QueryInterfaceRequest<Player> {
        Player.filter { request.contains($0.id) }
      }
      try withPlayers { db in
        try #expect(among(SQLRequest<Int>(sql: "SELECT 2")).fetchAll(db) == [.barbara])
        let region = try [Player.all(), Player.filter(key: 1)]
          .map { $0 as any DatabaseRegionConvertible }.first?.databaseRegion(db)
        #expect(region?.description.hasPrefix("player(") == true)
      }
    },
    .same(.api(25), "databaseQuestionMarks(count:)") {
      #expect(databaseQuestionMarks(count: 3) == "?,?,?")
    },
    .same(.behavior(1), "Data in an SQL literal is one value") {
      try withLeague { db in
        let data = Data([1, 2, 3])
        try db.execute(literal: "INSERT INTO note VALUES (\(data))")
        try #expect(Data.fetchOne(db, sql: "SELECT text FROM note") == data)
      }
    },
    .same(.behavior(2), #"["arthur"].contains(column).collating(.nocase)"#) {
      try withPlayers { db in
        let request = Player.filter(["arthur"].contains(Column("name")).collating(.nocase))
        try #expect(request.fetchAll(db) == [.arthur])
      }
    },
    .same(.behavior(3), #"Database.jsonObject(["i": JSONColumn("info")])"#) {
      try withLeague { db in
        try db.execute(literal: "INSERT INTO player (name) VALUES (\("[1]"))")
        let object = Database.jsonObject(["i": JSONColumn("name")])
        try #expect(String.fetchOne(db, Player.select(object)) == #"{"i":[1]}"#)
      }
    },
    .same(.behavior(9), "annotated(with:).filter(alias).fetchCount(db)") {
      try withPlayers { db in
        let request = Player.annotated(with: (Column("score") * 2).forKey("alt"))
          .filter(Column("alt") > 1000)
        try #expect(request.fetchCount(db) == 1)
      }
    },
    .same(.behavior(14), "the region of filter(keys:), [1, 2].contains(id), id == 1 || id == 2") {
      try withPlayers { db in
        for request in [
          Player.filter(keys: [1, 2]), Player.filter { [1, 2].contains($0.id) },
          Player.filter { $0.id == 1 || $0.id == 2 },
        ] {
          try #expect(request.databaseRegion(db).description.hasSuffix("[1,2]"))
        }
      }
    },
    .same(.behavior(19), #"(height * 1.8 + 32).forKey("f")"#) {
      try expectSQL(
        request: Player.select { ($0.height * 1.8 + 32).forKey("f") },
        #"SELECT ("height" * 1.8) + 32 AS "f" FROM "player""#
      )
    },
    .same(.behavior(20), #"makeStatement(literal: "SELECT ?")"#) {
      try withLeague { db in
        let statement = try db.makeStatement(literal: "SELECT ?")
        try statement.setArguments([1])
        try #expect(Int.fetchOne(statement) == 1)
      }
    },
    .documented(
      .behavior(20),
      "1.databaseValue == 1.0.databaseValue",
      "An integer and a real number are different `DatabaseValue`s"
    ),
    .same(.diagnostic(1), #"order(\.a, \.b.desc)"#) {
      try expectSQL(
        request: Player.order(\.name, \.score.desc),
        #"SELECT * FROM "player" ORDER BY "name", "score" DESC"#
      )
    },
  ]
}
