import Testing

@testable import Storage

@Suite struct ColumnSetTests {
  private func set(_ columns: Int...) -> ColumnSet {
    columns.reduce(into: ColumnSet()) { $0.insert($1) }
  }

  @Test func `a set contains the columns inserted into it`() {
    let columns = set(0, 5, 62)
    #expect((0..<63).filter(columns.contains) == [0, 5, 62])
    #expect(!columns.isEmpty)
    #expect(ColumnSet().isEmpty)
    #expect((0..<100).allSatisfy(ColumnSet.all.contains))
  }

  @Test func `sets can be united and subtracted`() {
    var columns = set(1, 2)
    columns.formUnion(set(2, 3))
    #expect(columns == set(1, 2, 3))
    #expect(columns.subtracting(set(2)) == set(1, 3))
    #expect(columns.subtracting(.all).isEmpty)
  }

  @Test(arguments: [63, 64, 200]) func `columns from the 64th on share one bit`(column: Int) {
    let columns = set(column)
    #expect((0..<300).filter(columns.contains) == Array(63..<300))
    #expect(columns.subtracting(set(63)).isEmpty)
  }
}
