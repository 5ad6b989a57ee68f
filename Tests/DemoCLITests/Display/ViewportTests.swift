import Testing

@testable import DemoCLI

@Suite struct ViewportTests {
  private func viewport(_ rowCount: Int, mark: Int?, height: Int) -> Viewport {
    Viewport(rowCount: rowCount, firstMark: mark, height: height)
  }

  @Test("A table that fits is shown as a whole")
  func fitting() {
    let viewport = viewport(10, mark: 9, height: 10)
    #expect(viewport.rows == 0..<10)
    #expect(!viewport.hasRowsAbove)
    #expect(!viewport.hasRowsBelow)
  }

  @Test("A longer table is shown from its top", arguments: [nil, 0, 8])
  func fromTop(mark: Int?) {
    let viewport = viewport(100, mark: mark, height: 10)
    #expect(viewport.rows == 0..<9)
    #expect(!viewport.hasRowsAbove)
    #expect(viewport.hasRowsBelow)
  }

  @Test("Changes further down are shown with what is above them")
  func further() {
    let viewport = viewport(100, mark: 50, height: 10)
    #expect(viewport.rows == 48..<56)
    #expect(viewport.hasRowsAbove)
    #expect(viewport.hasRowsBelow)
  }

  @Test("Changes at the end are shown with the end of the table")
  func end() {
    let viewport = viewport(100, mark: 99, height: 10)
    #expect(viewport.rows == 91..<100)
    #expect(viewport.hasRowsAbove)
    #expect(!viewport.hasRowsBelow)
  }

  @Test("Rows and notes take exactly the lines there are, and the first mark is among them")
  func bounds() {
    for height in 1...12 {
      for mark in 0..<30 {
        let viewport = viewport(30, mark: mark, height: height)
        let notes = (viewport.hasRowsAbove ? 1 : 0) + (viewport.hasRowsBelow ? 1 : 0)
        #expect(viewport.rows.count + notes == height)
        if height >= 3 { #expect(viewport.rows.contains(mark)) }
      }
    }
  }
}
