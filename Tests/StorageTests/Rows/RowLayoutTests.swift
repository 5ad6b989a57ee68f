@testable import Storage
import Testing

@Suite struct RowLayoutTests {
  @Test func `a name finds the leftmost column, ignoring the case of ASCII letters`() {
    let layout = RowLayout(columnNames: ["id", "Name", "NAME", "Ärger"])
    #expect(layout.index(ofColumn: "ID") == 0)
    #expect(layout.index(ofColumn: "name") == 1)
    #expect(layout.index(ofColumn: "ÄRGER") == 3)
    #expect(layout.index(ofColumn: "ärger") == nil)
    #expect(layout.index(ofColumn: "") == nil)
  }

  @Test func `a column is ambiguous when another column has the same name`() {
    let layout = RowLayout(columnNames: ["id", "Name", "price", "NAME"])
    #expect(layout.hasDuplicates)
    #expect((0..<4).map(layout.isAmbiguous) == [false, true, false, true])
    let unique = RowLayout(columnNames: ["id", "name"])
    #expect(!unique.hasDuplicates)
    #expect((0..<2).map(unique.isAmbiguous) == [false, false])
  }
}
