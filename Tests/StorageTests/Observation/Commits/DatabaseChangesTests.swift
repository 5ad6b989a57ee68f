import Testing

@testable import Storage

/// Changes and the regions that they touch. Changes are written as regions: `item(price)[1]`
/// changes the column `price` of row 1.
@Suite struct DatabaseChangesTests {
  private static let price = DatabaseRegion(table: "item", columns: ["price"])
  private static let firstRow = DatabaseRegion(table: "item", rowIDs: [1])
  private static let note = DatabaseRegion(table: "note")

  struct Case: Sendable, CustomTestStringConvertible {
    let changed: DatabaseRegion
    let observed: DatabaseRegion
    let isTouched: Bool
    var testDescription: String { "\(changed) changes, \(observed) is observed" }
  }

  static let cases: [Case] = [
    Case(changed: price, observed: DatabaseRegion(table: "item"), isTouched: true),
    Case(changed: price, observed: price, isTouched: true),
    Case(
      changed: price,
      observed: DatabaseRegion(table: "item", columns: ["name", "price"]),
      isTouched: true
    ),
    Case(
      changed: price,
      observed: DatabaseRegion(table: "item", columns: ["name"]),
      isTouched: false
    ),
    Case(changed: price, observed: note, isTouched: false),
    Case(changed: price, observed: DatabaseRegion(), isTouched: false),
    Case(changed: price, observed: .fullDatabase, isTouched: true),
    Case(changed: firstRow, observed: firstRow, isTouched: true),
    Case(changed: firstRow, observed: price, isTouched: true),
    Case(
      changed: firstRow,
      observed: DatabaseRegion(table: "item", rowIDs: [2, 3]),
      isTouched: false
    ),
    Case(changed: DatabaseRegion(), observed: note, isTouched: false),
    Case(changed: .fullDatabase, observed: note, isTouched: true),
  ]

  @Test(arguments: cases)
  func `changes touch a region with a common table, column and row`(test: Case) {
    #expect(test.observed.isTouched(by: test.changed.asChanges) == test.isTouched)
  }

  // What a union contains, as the region that it touches.
  static let unions: [(left: DatabaseRegion, right: DatabaseRegion, union: String)] = [
    (price, note, "item(price), note(*)"),
    (price, DatabaseRegion(table: "item", columns: ["name"]), "item(name,price)"),
    (firstRow, DatabaseRegion(table: "item", rowIDs: [2]), "item(*)[1,2]"),
    (price, firstRow, "item(*)"),
    (price, DatabaseRegion(), "item(price)"),
    (DatabaseRegion(), note, "note(*)"),
    (price, .fullDatabase, "full database"),
  ]

  @Test(arguments: unions)
  func `a union covers both changes`(left: DatabaseRegion, right: DatabaseRegion, union: String) {
    #expect(DatabaseRegion(left.asChanges.union(right.asChanges)).description == union)
    #expect(DatabaseRegion(right.asChanges.union(left.asChanges)).description == union)
  }

  @Test func `only changes without a table are empty`() {
    #expect(DatabaseChanges.none.isEmpty)
    #expect(DatabaseRegion().asChanges.isEmpty)
    #expect(!Self.price.asChanges.isEmpty)
    #expect(!DatabaseChanges.everything.isEmpty)
  }
}
