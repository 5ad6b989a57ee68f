import Testing

@testable import DemoCLI

@Suite struct ColumnLayoutTests {
  @Test func `columns that fit keep their natural widths`() {
    let layout = ColumnLayout(natural: [2, 10, 5], available: 21)
    #expect(layout.widths == [2, 10, 5])
    #expect(layout.hiddenCount == 0)
    #expect(layout.hiddenNote.isEmpty)
  }

  @Test func `the widest columns shrink first`() {
    #expect(ColumnLayout(natural: [2, 30, 5], available: 21).widths == [2, 10, 5])
    #expect(ColumnLayout(natural: [40, 3, 30], available: 27).widths == [10, 3, 10])
  }

  @Test func `columns that do not fit are hidden and counted`() {
    let layout = ColumnLayout(natural: [8, 8, 8, 8], available: 20)
    #expect(layout.hiddenCount == 3)
    #expect(layout.hiddenNote == "+3 …")
    #expect(layout.widths == [8])
  }

  @Test func `columns of text stay readable, and columns of numbers are not shrunk`() {
    let layout = ColumnLayout(natural: [3, 40, 17, 9], least: [3, 0, 17, 0], available: 43)
    #expect(layout.widths == [3, 13, 17])
    #expect(layout.hiddenCount == 1)
    #expect(
      ColumnLayout(natural: [3, 40, 17], least: [3, 0, 17], available: 34).widths == [3, 10, 17]
    )
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
  func `the columns and the note always fit the window`(available: Int) {
    for natural in [
      [1], [50], [20, 20], [1, 1, 1], [9, 2, 70, 4], Array(repeating: 12, count: 30),
    ] {
      let layout = ColumnLayout(natural: natural, available: available)
      let note = layout.hiddenCount == 0 ? 0 : layout.hiddenNote.count + ColumnLayout.gap
      let total = layout.widths.reduce(0, +) + ColumnLayout.gap * (layout.widths.count - 1)
      #expect(layout.widths.count + layout.hiddenCount == natural.count)
      #expect(layout.widths.allSatisfy { $0 >= 1 })
      #expect(total <= available)
      // The first column is more important than the note about hidden columns.
      if layout.widths.count > 1 { #expect(total + note <= available) }
    }
  }
}
