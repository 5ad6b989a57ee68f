import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Values of `Codable` types that cannot be encoded.
@Suite struct FailedEncodingTests {
  private struct Point: Codable, DatabaseValueConvertible {
    var x: Double
    static let invalid = Point(x: .nan)
  }

  private struct Thrower: Codable, DatabaseValueConvertible {
    struct Refusal: Error {}
    func encode(to encoder: any Encoder) throws { throw Refusal() }
  }

  private struct Place: Codable, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int?
    var name: Point
  }

  private struct Dictionary: PersistableRecord {
    static let databaseTableName = "item"
    func encode(to container: inout PersistenceContainer) throws {
      container["name"] = Point.invalid
    }
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Database) throws -> Void
  }

  private static let cases = [
    Case(testDescription: "an argument") {
      try $0.execute(sql: "UPDATE item SET name = ?", arguments: [Point.invalid])
    },
    Case(testDescription: "a named argument") {
      try $0.execute(sql: "UPDATE item SET name = :p", arguments: ["p": Point(x: .infinity)])
    },
    Case(testDescription: "a literal") {
      try $0.execute(literal: "UPDATE item SET name = \(Point.invalid)")
    },
    Case(testDescription: "unchecked arguments") {
      let statement = try $0.makeStatement(sql: "UPDATE item SET name = ?")
      statement.setUncheckedArguments([Point.invalid])
      try statement.execute()
    },
    Case(testDescription: "an assignment") {
      try Table("item").updateAll($0, [Column("name").set(to: Point.invalid)])
    },
    Case(testDescription: "a condition") {
      try Table("item").filter(Column("name") == Point.invalid).deleteAll($0)
    },
    Case(testDescription: "a list") {
      try Table("item").filter([Point(x: 1), .invalid].contains(Column("name"))).deleteAll($0)
    },
    Case(testDescription: "a key") { try Table("item").deleteOne($0, key: Point.invalid) },
    Case(testDescription: "a property") { try Place(id: 2, name: .invalid).insert($0) },
    Case(testDescription: "a property of a second record") { db in
      try db.inSavepoint {
        try Place(id: 2, name: Point(x: 1)).insert(db)
        try Place(id: 3, name: Point(x: 1)).insert(db)
        return .rollback
      }
      try Place(id: 2, name: .invalid).insert(db)
    },
    Case(testDescription: "an update") { try Place(id: 1, name: .invalid).update($0) },
    Case(testDescription: "an upsert") { try Place(id: 1, name: .invalid).upsert($0) },
    Case(testDescription: "a container") { try Dictionary().insert($0) },
    Case(testDescription: "an error of the type") {
      try $0.execute(sql: "UPDATE item SET name = ?", arguments: [Thrower()])
    },
    Case(testDescription: "the result of a function") { db in
      db.add(function: DatabaseFunction("invalid", argumentCount: 0) { _ in Point.invalid })
      try db.execute(sql: "UPDATE item SET name = invalid()")
    },
    Case(testDescription: "a definition") {
      try $0.create(table: "place") { $0.column("point").defaults(to: Point.invalid) }
    },
    Case(testDescription: "a view") {
      let items = Table("item").filter(Column("name") == Point.invalid)
      try $0.create(view: "found", as: items)
    },
  ]

  @Test(arguments: cases)
  private func `a value that cannot be encoded is an error, and changes nothing`(_ test: Case)
    throws
  {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO item (id, name) VALUES (1, 'cup')")
      #expect(throws: (any Error).self) { try test.run(db) }
      try #expect(String.fetchAll(db, sql: "SELECT name FROM item") == ["cup"])
      try #expect(Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_schema") == 1)
    }
  }

  @Test func `the error is that of the encoder`() throws {
    try withDatabase { db in
      #expect(throws: EncodingError.self) {
        try db.execute(sql: "UPDATE item SET name = ?", arguments: [Point.invalid])
      }
      #expect(throws: Thrower.Refusal.self) {
        try db.execute(sql: "UPDATE item SET name = ?", arguments: [Thrower()])
      }
    }
  }

  @Test func `an ordinary NaN is NULL`() throws {
    try withDatabase { db in
      for value in [Double.nan, -Double.nan, Double(nan: 1, signaling: false)] {
        try #expect(Bool.fetchOne(db, sql: "SELECT ? IS NULL", arguments: [value]) == true)
        let copy = value.databaseValue
        try #expect(Bool.fetchOne(db, sql: "SELECT ? IS NULL", arguments: [copy]) == true)
      }
    }
  }
}
