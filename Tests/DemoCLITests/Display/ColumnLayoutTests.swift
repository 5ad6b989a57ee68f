import Testing

@testable import DemoCLI

@Suite struct ColumnLayoutTests {
  @Test("Columns that fit get what they ask for")
  func fitting() {
    let layout = ColumnLayout(natural: [2, 10, 5], available: 21)
    #expect(layout.widths == [2, 10, 5])
    #expect(layout.hiddenCount == 0)
    #expect(layout.hiddenNote.isEmpty)
  }

  @Test("The widest columns give way first")
  func shrinking() {
    #expect(ColumnLayout(natural: [2, 30, 5], available: 21).widths == [2, 10, 5])
    #expect(ColumnLayout(natural: [40, 3, 30], available: 27).widths == [10, 3, 10])
  }

  @Test("Columns for which there is no room are hidden, and counted")
  func hiding() {
    let layout = ColumnLayout(natural: [8, 8, 8, 8], available: 20)
    #expect(layout.hiddenCount == 2)
    #expect(layout.hiddenNote == "+2 …")
    #expect(layout.widths == [6, 6])
  }

  @Test(
    "The columns and the note never take more than there is",
    arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
  )
  func bounds(available: Int) {
    for natural in [[1], [50], [1, 1, 1], [9, 2, 70, 4], Array(repeating: 12, count: 30)] {
      let layout = ColumnLayout(natural: natural, available: available)
      let note = layout.hiddenCount == 0 ? 0 : layout.hiddenNote.count + ColumnLayout.gap
      let total = layout.widths.reduce(0, +) + ColumnLayout.gap * (layout.widths.count - 1)
      #expect(layout.widths.count + layout.hiddenCount == natural.count)
      #expect(layout.widths.allSatisfy { $0 >= 1 })
      #expect(total <= available)
      // The first column is worth more than the note about the others.
      if layout.widths.count > 1 { #expect(total + note <= available) }
    }
  }
}
