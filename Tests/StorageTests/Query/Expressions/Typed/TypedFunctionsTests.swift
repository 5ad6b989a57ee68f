import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
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

  @Test(arguments: strings)
  func `TYP-11: functions of typed strings keep the type`(
    _ expression: TypedExpression<String>,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  @Test func `TYP-11: functions of typed columns return typed expressions`() throws {
    let absolute: TypedExpression<Int> = abs(score)
    try expectSQL(absolute, #"ABS("score")"#)
    let rounded: TypedExpression<Double?> = round(height, 1)
    try expectSQL(rounded, #"ROUND("height", 1)"#)
    try expectSQL(round(height) > 1, #"ROUND("height") > 1.0"#)
    let distinct: TypedExpression<Int> = count(distinct: name)
    try expectSQL(distinct, #"COUNT(DISTINCT "name")"#)
    try expectSQL(average(score), #"AVG("score")"#)
    try expectSQL(total(score), #"TOTAL("score")"#)
    try expectSQL(sum(bonus), #"SUM("bonus")"#)
    try expectSQL(min(height), #"MIN("height")"#)
    try expectSQL(length(name), #"LENGTH("name")"#)
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

  @Test(arguments: others)
  func `all functions accept typed columns`(_ expression: SQLExpression, _ sql: String) throws {
    try expectSQL(expression, sql)
  }

  private struct Cast: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (Database) throws -> Void

    init<Value: DatabaseValueConvertible & Equatable & Sendable>(
      _ stored: String,
      _ value: Value,
      _ sql: String
    ) {
      testDescription = "\(stored) as \(Value.self)"
      check = { db in
        try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (\(stored))")
        let request = Table("t").select(cast(TypedColumn<String>("x"), as: Value.self))
        expectSQL(try request.makePreparedRequest(db).statement, "SELECT \(sql) FROM \"t\"")
        let found = try request.asRequest(of: Value.self).fetchOne(db)
        #expect(found == value)
      }
    }
  }

  private struct Day: RawRepresentable, DatabaseValueConvertible, Equatable {
    var rawValue: Date
  }

  private struct Key: RawRepresentable, DatabaseValueConvertible, Equatable {
    var rawValue: UUID
  }

  private struct Point: Codable, DatabaseValueConvertible, Equatable {
    var x, y: Int
  }

  private struct Anything: DatabaseValueConvertible, Equatable {
    var databaseValue: DatabaseValue
    static var databaseColumnType: Database.ColumnType? { .any }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Anything? {
      Anything(databaseValue: value)
    }
  }

  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let day = Date(timeIntervalSince1970: 1_714_953_600)

  private static let casts = [
    Cast("'12'", 12, #"CAST("x" AS INTEGER)"#),
    Cast("'12'", UInt8(12), #"CAST("x" AS INTEGER)"#),
    Cast("'1.5'", 1.5, #"CAST("x" AS REAL)"#),
    Cast("'1'", true, #"CAST("x" AS BOOLEAN)"#),
    Cast("'1.5'", Decimal(1.5), #"CAST("x" AS NUMERIC)"#),
    Cast("12", "12", #"CAST("x" AS TEXT)"#),
    Cast("12", "12" as String?, #"CAST("x" AS TEXT)"#),
    Cast("12", Data("12".utf8), #"CAST("x" AS BLOB)"#),
    Cast("'2024-05-06'", day, #""x""#),
    Cast("'2024-05-06 00:00:00.000'", day as Date?, #""x""#),
    Cast("1714953600", day, #""x""#),
    Cast("'2024-05-06'", Day(rawValue: day), #""x""#),
    Cast("'\(uuid.uuidString)'", uuid, #""x""#),
    Cast("x'0102030405060708090A0B0C0D0E0F10'", uuid as UUID?, #""x""#),
    Cast("'\(uuid.uuidString)'", Key(rawValue: uuid), #""x""#),
    Cast(
      "'10:20'",
      DatabaseDateComponents(DateComponents(hour: 10, minute: 20), format: .HM),
      #""x""#
    ),
    Cast(#"'{"x":1,"y":2}'"#, Point(x: 1, y: 2), #""x""#),
    Cast("'12'", Anything(databaseValue: "12".databaseValue), #""x""#),
  ]

  @Test(arguments: casts)
  private func `a cast value is read as the type`(_ test: Cast) throws {
    try withDatabase { db in try test.check(db) }
  }
}
