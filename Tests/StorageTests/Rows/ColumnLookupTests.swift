@testable import Storage
import Testing

@Suite struct ColumnLookupTests {
  func withLookup(_ names: [String], _ body: (ColumnLookup) -> Void) {
    let lookup = ColumnLookup(layout: RowLayout(columnNames: names))
    defer { lookup.deallocate() }
    body(lookup)
  }

  @Test func `the columns of each row are found in the same and in another order`() {
    let names = ["id", "a name that does not fit into sixteen bytes", "price"]
    withLookup(names) { lookup in
      for row in [[0, 1, 2], [0, 1, 2], [2, 0, 1], [1, 1, 0, 2]] {
        lookup.rewind()
        for column in row {
          #expect(lookup.column(names[column]) == column)
          // A string with the same text at another address.
          #expect(lookup.column(names[column].map(String.init).joined()) == column)
        }
        #expect(lookup.column("missing") == nil)
      }
    }
  }

  @Test func `a lookup remembers a bounded number of names`() {
    withLookup(["id"]) { lookup in
      for spelling in ["id", "ID", "Id", "iD", "id"] {
        lookup.rewind()
        #expect(lookup.column(spelling) == 0)
      }
      #expect(lookup.state.pointee.count == 2)
    }
  }
}
