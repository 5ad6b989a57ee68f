import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowTests {
  @Test func `ROW-13: the row of a cursor changes with the cursor, but a copy does not`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 AS id, column2 AS name FROM (VALUES (1, 'cup'), (2, 'pot'))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      let first = try #require(try cursor.next())
      let copy = first.copy()
      #expect(copy == first)
      #expect(copy.copy() === copy)
      let second = try #require(try cursor.next())
      #expect(second["name"] == "pot")
      #expect(second != copy)
      #expect(copy == Row(["id": 1, "name": "cup"]))
      #expect(try cursor.next() == nil)
      #expect(copy["name"] == "cup")
    }
  }

  @Test func `a fetched row can be used after its access`() throws {
    let shop = try Shop()
    let rows = try shop.pool.read { db in try Row.fetchAll(db, sql: "SELECT * FROM item") }
    try shop.pool.write { db in try db.execute(sql: "DROP TABLE item") }
    #expect(rows.map { $0["name"] } == ["cup", "pot"])
    #expect(rows[0].description == "[id:1 name:'cup' price:4.0]")
  }

  @Test func `rows are equal when their names and values are`() {
    let row = Row(["id": 1, "name": "cup", "price": nil])
    let same = Row(["id": 1, "name": "cup", "price": nil])
    #expect(row == same)
    #expect(row.hashValue == same.hashValue)
    #expect(Set([row, same]).count == 1)
    #expect(row != Row(["id": 1, "name": "cup"]))
    #expect(row != Row(["id": 1, "name": "cup", "cost": nil]))
    #expect(row != Row(["name": "cup", "id": 1, "price": nil]))
    #expect(row != Row(["id": 1.0, "name": "cup", "price": nil]))
    #expect(Row([:]) == Row([:]))
  }

  @Test func `a row can be created from names and values`() throws {
    let row = Row(["a": 1, "b": nil, "a": "again"])
    #expect(row.count == 3)
    #expect(row["a"] == 1)
    #expect(row[2] == "again")
    #expect(row.description == "[a:1 b:NULL a:'again']")
    #expect(Row([:]).columnNames == [])
    expectError("no column x: the row has ") { _ = try Row([:]).decode(Int.self, forColumn: "x") }
  }
}
