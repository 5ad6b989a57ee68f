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

  private static let agent = ConditionColumn(name: "agent", collation: .binary)
  private static let at = ConditionColumn(name: "at", collation: .binary)

  private static func key(_ number: Int) -> ValueKey? {
    ValueKey(number.databaseValue, .numeric, .binary)
  }

  /// Rows 1 and 2 had agent 5 before or after their changes, and row 2 also 6,
  /// row 3 had 7, and row 4 had NULL.
  private static func changes() throws -> DatabaseChanges.Table {
    var changes = DatabaseChanges.Table(columns: .all, rowIDs: .some([1, 2, 3, 4]))
    changes.values[agent] = [
      try #require(key(5)): .several([1, 2]), try #require(key(6)): .one(2),
      try #require(key(7)): .one(3), .null: .one(4),
    ]
    return changes
  }

  @Test(arguments: [
    (values: [5], rows: [1, 2]), ([6], [2]), ([6, 7], [2, 3]), ([8], []), ([], []),
  ])
  func `rows have a value that is looked for before or after the change`(
    values: [Int],
    rows: [Int64]
  ) throws {
    let wanted = values.compactMap(Self.key).map {
      SoughtValues(column: Self.agent, range: ValueRange($0))
    }
    #expect(try Self.changes().rows(having: .some(Set(wanted))) == .rowIDs(Set(rows)))
  }

  @Test func `rows have a value within bounds, or any value`() throws {
    let changes = try Self.changes()
    let six = ValueRange.Bound(key: try #require(Self.key(6)), isIncluded: true)
    let above = SoughtValues(column: Self.agent, range: ValueRange(lower: six, upper: nil))
    let below = SoughtValues(column: Self.agent, range: ValueRange(lower: nil, upper: six))
    #expect(changes.rows(having: .some([above])) == .rowIDs([2, 3]))
    #expect(changes.rows(having: .some([below])) == .rowIDs([1, 2, 4]))
    #expect(changes.rows(having: .all) == .rowIDs([1, 2, 3, 4]))
    // The values of another column are not known.
    let other = SoughtValues(column: Self.at, range: ValueRange(lower: six, upper: nil))
    #expect(changes.rows(having: .some([above, other])) == .rowIDs([1, 2, 3, 4]))
  }

  @Test func `rows without row ids are not told apart by values`() throws {
    let keys = Set([1, 2].compactMap { Self.key($0).map { RowKey(bytes: $0.bytes) } })
    var changes = DatabaseChanges.Table(columns: .all, rowIDs: .all, keys: .some(keys))
    let five = try #require(Self.key(5))
    changes.values[Self.agent] = [five: .unknown]
    let wanted = SoughtValues(column: Self.agent, range: ValueRange(five))
    #expect(changes.rows(having: .some([wanted])) == .keys(keys))
  }

  @Test func `a union has the rows of each value`() throws {
    var other = DatabaseChanges.Table(columns: .all, rowIDs: .some([9]))
    other.values[Self.agent] = [try #require(Self.key(6)): .one(9)]
    let union = try Self.changes().union(other)
    let wanted = SoughtValues(column: Self.agent, range: ValueRange(try #require(Self.key(6))))
    #expect(union.rows(having: .some([wanted])) == .rowIDs([2, 9]))
  }

  // The content of a union, as the region that it touches.
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
