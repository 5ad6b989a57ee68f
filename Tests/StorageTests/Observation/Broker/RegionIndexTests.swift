@testable import Storage
import Testing

/// Observations are numbered in the order of their regions; regions and changes are text.
@Suite struct RegionIndexTests {
  private func makeIndex(_ regions: String...) -> RegionIndex {
    var index = RegionIndex()
    for (number, region) in regions.enumerated() {
      _ = index.set(DatabaseRegion(region), of: QueryID(UInt64(number)))
    }
    return index
  }

  private func touched(_ index: RegionIndex, _ changes: String) -> [UInt64] {
    index.observations(touchedBy: DatabaseChanges(changes)).map(\.rawValue).sorted()
  }

  @Test func `a changed table touches its own observations only`() {
    let index = makeIndex("item", "shop", "item shop")
    #expect(touched(index, "item") == [0, 2])
    #expect(touched(index, "shop") == [1, 2])
    #expect(touched(index, "item shop") == [0, 1, 2])
    #expect(touched(index, "other") == [])
    #expect(touched(index, "") == [])
    #expect(touched(index, "*") == [0, 1, 2])
  }

  @Test func `updated columns touch the observations that read one of them`() {
    let index = makeIndex("item", "item(name)", "item(name,price)", "item()")
    #expect(touched(index, "item(name)") == [0, 1, 2])
    #expect(touched(index, "item(price)") == [0, 2])
    #expect(touched(index, "item(other)") == [0])
  }

  @Test func `rows that came or went touch observations that read no column`() {
    let index = makeIndex("item()", "item(name)")
    #expect(touched(index, "item") == [0, 1])
    #expect(touched(index, "item[7]") == [0, 1])
  }

  @Test func `changed rows touch the observations of those rows and of all rows`() {
    let index = makeIndex("item[1]", "item[1,2]", "item", "item(price)[2]", "item[]")
    #expect(touched(index, "item[1]") == [0, 1, 2])
    #expect(touched(index, "item[2]") == [1, 2, 3])
    #expect(touched(index, "item[3]") == [2])
    // The last region has no row.
    #expect(touched(index, "item") == [0, 1, 2, 3])
    #expect(touched(index, "item(name)[2]") == [1, 2])
    #expect(touched(index, "item(price)[2,3]") == [1, 2, 3])
    #expect(touched(index, "item(price)") == [0, 1, 2, 3])
  }

  @Test func `an observation of the full database is touched by every change`() {
    let index = makeIndex("*", "item")
    #expect(touched(index, "shop") == [0])
    #expect(touched(index, "item(name)[1]") == [0, 1])
    #expect(touched(index, "") == [])
  }

  @Test func `a new region replaces the old one, and a removed observation is not touched`() {
    var index = makeIndex("item", "item[1]", "*")
    #expect(index.set(DatabaseRegion("shop"), of: QueryID(0)) == true)
    #expect(touched(index, "item") == [1, 2])
    #expect(touched(index, "shop") == [0, 2])
    index.remove(QueryID(2))
    index.remove(QueryID(1))
    #expect(touched(index, "item") == [])
    #expect(index.region(of: QueryID(0)) == DatabaseRegion("shop"))
    #expect(index.region(of: QueryID(1)) == nil)
  }

  @Test func `setting a region reports whether more or something else is observed`() {
    var index = makeIndex("item(name)", "item(name,price)[1]")
    #expect(index.set(DatabaseRegion("item(name)"), of: QueryID(0)) == false)
    #expect(index.set(DatabaseRegion("item(name)"), of: QueryID(2)) == false)
    #expect(index.set(DatabaseRegion("item(price)"), of: QueryID(3)) == false)
    #expect(index.set(DatabaseRegion("item(name)[5]"), of: QueryID(4)) == false)
    #expect(index.set(DatabaseRegion("item(color)"), of: QueryID(5)) == true)
    #expect(index.set(DatabaseRegion("shop"), of: QueryID(6)) == true)
    #expect(index.set(DatabaseRegion("shop[1]"), of: QueryID(7)) == true)
    #expect(index.set(DatabaseRegion("*"), of: QueryID(8)) == true)
    #expect(index.set(DatabaseRegion("*"), of: QueryID(9)) == false)
  }

  @Test func `removing an observation reports whether less is observed`() {
    var index = makeIndex("item(name)", "item(name,price)", "item(name)[1]", "*", "*")
    #expect(index.remove(QueryID(0)) == false)
    #expect(index.remove(QueryID(1)) == true)
    #expect(index.remove(QueryID(2)) == true)
    #expect(index.remove(QueryID(3)) == false)
    #expect(index.remove(QueryID(4)) == true)
    #expect(index.remove(QueryID(4)) == false)
  }

  @Test func `what is observed is the union of the regions`() {
    let item = TableName(schema: "main", name: "item")
    var index = makeIndex("item(name)", "item(price)[1]")
    #expect(
      index.observedTables[item]
        == ObservedTable(columns: .some(["name", "price"]), hasRowObservers: true)
    )
    index.remove(QueryID(1))
    #expect(
      index.observedTables[item] == ObservedTable(columns: .some(["name"]), hasRowObservers: false)
    )
    _ = index.set(DatabaseRegion("*"), of: QueryID(2))
    #expect(index.observedTables[item]?.columns.isAll == true)
    #expect(index.observedTables[TableName(schema: "main", name: "shop")] == nil)
    #expect(index.observedTables.includesFullDatabase)
  }
}
