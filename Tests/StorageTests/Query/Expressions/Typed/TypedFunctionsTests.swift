import Storage
import Testing

private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let height = TypedColumn<Double>("height")

@Suite struct TypedFunctionsTests {
  private static let strings: [(TypedExpression<String>, String)] = [
    (trim(name), #"TRIM("name")"#),
    (trim(name, characters: "-"), #"TRIM("name", '-')"#),
    (replace(name, "a", "b"), #"REPLACE("name", 'a', 'b')"#),
    (substr(name, 2), #"SUBSTR("name", 2)"#),
    (substr(name, 1, 3), #"SUBSTR("name", 1, 3)"#),
    (email ?? "none", #"IFNULL("email", 'none')"#),
    (cast(score, as: String.self), #"CAST("score" AS TEXT)"#),
  ]

  @Test("TYP-11: functions of typed strings keep the type", arguments: strings)
  func string(_ expression: TypedExpression<String>, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test("TYP-11: functions of typed numbers have types")
  func numbers() throws {
    let absolute: TypedExpression<Int> = abs(score)
    try expectSQL(absolute, #"ABS("score")"#)
    let rounded: TypedExpression<Double?> = round(height, 1)
    try expectSQL(rounded, #"ROUND("height", 1)"#)
    try expectSQL(round(height) > 1, #"ROUND("height") > 1.0"#)
    let distinct: TypedExpression<Int> = count(distinct: name)
    try expectSQL(distinct, #"COUNT(DISTINCT "name")"#)
  }

  private static let others: [(SQLExpression, String)] = [
    (trimLeft(name), #"LTRIM("name")"#),
    (instr(name, "a"), #"INSTR("name", 'a')"#),
    (asciiUppercased(name), #"UPPER("name")"#),
    (nullif(name, ""), #"NULLIF("name", '')"#),
    (coalesce(email, name), #"COALESCE("email", "name")"#),
    (min(score, height), #"MIN("score", "height")"#),
    (sum(score, filter: name == "a").untyped, #"SUM("score") FILTER (WHERE "name" = 'a')"#),
    (groupConcat(name), #"GROUP_CONCAT("name", ',')"#),
    (lag(score).over(orderBy: [name]), #"LAG("score", 1) OVER (ORDER BY "name")"#),
    (date(email), #"DATE("email")"#),
    (Case(name).when("a", then: 1).otherwise(0), #"CASE "name" WHEN 'a' THEN 1 ELSE 0 END"#),
  ]

  @Test("All functions take typed columns", arguments: others)
  func untyped(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  @Test func `a column whose type has no nil is compared with it all the same`() throws {
    try expectSQL(score == nil, #""score" IS NULL"#)
    try expectSQL(score != nil, #""score" IS NOT NULL"#)
  }

  @Test("VAL-15: a type says which type its column has")
  func columnType() throws {
    struct Celsius: DatabaseValueConvertible {
      var degrees: Double
      static var databaseColumnType: Database.ColumnType? { .real }
      var databaseValue: DatabaseValue { degrees.databaseValue }
      static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
        Double.fromDatabaseValue(value).map(Celsius.init)
      }
    }
    #expect(Celsius.databaseColumnType == .real)
    #expect(Celsius?.databaseColumnType == .real)
    try expectSQL(cast(score, as: Celsius.self), #"CAST("score" AS REAL)"#)
    #expect([Int8.databaseColumnType, Int?.databaseColumnType] == [.integer, .integer])
    #expect(Float.databaseColumnType == .real)
    #expect(String.databaseColumnType == .text)
    #expect(Bool.databaseColumnType == .boolean)
  }

  @Test func `typed columns of tables, aliases and common tables keep their types`() throws {
    struct Person: TableRecord {
      static let databaseTableName = "player"
      enum Columns {
        static let id = TypedColumn<Int64>("id")
        static let teamID = TypedColumn<Int64?>("teamID")
        static let name = TypedColumn<String>("name")
      }
    }
    struct Club: TableRecord {
      static let databaseTableName = "team"
      enum Columns {
        static let id = TypedColumn<Int64>("id")
        static let name = TypedColumn<String>("name")
      }
    }
    try expectSQL(
      request: Person.all().join(Club.self) { person, club in
        club.id == person.teamID && club.name != "Reds"
      }.select(Person.Columns.name),
      """
      SELECT "player"."name" FROM "player" JOIN "team" \
      ON ("team"."id" = "player"."teamID") AND ("team"."name" <> 'Reds')
      """
    )
    let players = Table<Person>("player")
    let id: TypedExpression<Int64> = players[Person.Columns.id]
    try expectSQL(
      request: players.filter(id == 1),
      #"SELECT * FROM "player" WHERE "player"."id" = 1"#
    )
    let leaders = CommonTableExpression<Person>(
      named: "leader",
      request: Person.filter { $0.id < 3 }
    )
    let leaderName: TypedExpression<String> = leaders[Person.Columns.name]
    try expectSQL(
      request: leaders.all().with(leaders).filter(leaderName + "!" == "A!"),
      """
      WITH "leader" AS (SELECT * FROM "player" WHERE "id" < 3) \
      SELECT * FROM "leader" WHERE ("leader"."name" || '!') = 'A!'
      """
    )
  }
}
