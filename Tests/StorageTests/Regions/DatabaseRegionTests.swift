import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseRegionTests {
  static let item = DatabaseRegion(table: "Item")
  static let price = DatabaseRegion(table: "item", columns: ["Price"])
  static let name = DatabaseRegion(table: "item", columns: ["name"])
  static let rows = DatabaseRegion(table: "item", rowIDs: [1, 2])
  static let other = DatabaseRegion(table: "note")

  struct Case: Sendable, CustomTestStringConvertible {
    let left: DatabaseRegion
    let right: DatabaseRegion
    let union: String
    let intersection: String
    var testDescription: String { "\(left) and \(right)" }

    init(_ left: DatabaseRegion, _ right: DatabaseRegion, union: String, intersection: String) {
      (self.left, self.right, self.union, self.intersection) = (left, right, union, intersection)
    }
  }

  static let cases = [
    Case(item, item, union: "item(*)", intersection: "item(*)"),
    Case(item, other, union: "item(*), note(*)", intersection: "empty"),
    Case(item, price, union: "item(*)", intersection: "item(price)"),
    Case(price, name, union: "item(name,price)", intersection: "item()"),
    Case(item, rows, union: "item(*)", intersection: "item(*)[1,2]"),
    Case(
      rows,
      DatabaseRegion(table: "item", rowIDs: [2, 3]),
      union: "item(*)[1,2,3]",
      intersection: "item(*)[2]"
    ),
    Case(
      rows,
      DatabaseRegion(table: "item", rowIDs: [3]),
      union: "item(*)[1,2,3]",
      intersection: "empty"
    ),
    Case(.fullDatabase, price, union: "full database", intersection: "item(price)"),
    Case(DatabaseRegion(), price, union: "item(price)", intersection: "empty"),
    Case(
      DatabaseRegion(table: "item", schema: "other"),
      item,
      union: "item(*), other.item(*)",
      intersection: "empty"
    ),
  ]

  @Test(arguments: cases)
  func `union and intersection compare tables, columns and rows`(test: Case) {
    #expect(test.left.union(test.right).description == test.union)
    #expect(test.right.union(test.left).description == test.union)
    #expect(test.left.intersection(test.right).description == test.intersection)
    #expect(test.right.intersection(test.left).description == test.intersection)
  }

  @Test func `a region without tables or rows is empty`() {
    #expect(DatabaseRegion().isEmpty)
    #expect(DatabaseRegion(table: "item", rowIDs: []).isEmpty)
    #expect(!Self.item.isEmpty)
    #expect(!DatabaseRegion.fullDatabase.isEmpty)
    #expect(DatabaseRegion.fullDatabase.isFullDatabase)
  }

  @Test func `isModified(byEventsOfKind:) compares tables and columns`() {
    let update = DatabaseEventKind.update(tableName: "item", columnNames: ["price"])
    #expect(Self.price.isModified(byEventsOfKind: update))
    #expect(!Self.name.isModified(byEventsOfKind: update))
    #expect(Self.name.isModified(byEventsOfKind: .insert(tableName: "ITEM")))
    #expect(!Self.other.isModified(byEventsOfKind: .delete(tableName: "item")))
    #expect(DatabaseRegion.fullDatabase.isModified(byEventsOfKind: update))
  }

  @Test func `the region of a statement depends on its arguments`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT name FROM item WHERE id = ?")
      try statement.setArguments([7])
      #expect(try statement.databaseRegion().description == "item(id,name)[7]")
    }
  }

  @Test func `the region of a view or a full-text table contains the tables behind it`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE VIEW cheap AS SELECT id FROM item WHERE price < 5")
      try db.execute(sql: "CREATE VIRTUAL TABLE text USING fts5(body)")
      let view = try DatabaseRegion(table: "cheap").databaseRegion(db).description
      #expect(view.contains("item(id,price)"))
      let text = try DatabaseRegion(table: "text").databaseRegion(db).description
      #expect(text.contains("text_data(*)"))
    }
  }
}
