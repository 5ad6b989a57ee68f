import Testing

@testable import DemoCLI

@Suite struct ViewportTests {
  private func viewport(_ rowCount: Int, mark: Int?, height: Int) -> Viewport {
    Viewport(rowCount: rowCount, firstMark: mark, height: height)
  }

  @Test func `a table that fits is shown completely`() {
    let viewport = viewport(10, mark: 9, height: 10)
    #expect(viewport.rows == 0..<10)
    #expect(!viewport.hasRowsAbove)
    #expect(!viewport.hasRowsBelow)
  }

  @Test(arguments: [nil, 0, 8])
  func `a longer table is shown from its top`(mark: Int?) {
    let viewport = viewport(100, mark: mark, height: 10)
    #expect(viewport.rows == 0..<9)
    #expect(!viewport.hasRowsAbove)
    #expect(viewport.hasRowsBelow)
  }

  @Test func `changes further down are shown with the rows above them`() {
    let viewport = viewport(100, mark: 50, height: 10)
    #expect(viewport.rows == 48..<56)
    #expect(viewport.hasRowsAbove)
    #expect(viewport.hasRowsBelow)
  }

  @Test func `changes at the end are shown with the end of the table`() {
    let viewport = viewport(100, mark: 99, height: 10)
    #expect(viewport.rows == 91..<100)
    #expect(viewport.hasRowsAbove)
    #expect(!viewport.hasRowsBelow)
  }

  @Test func `rows and notes fill all lines, and the first marked row is shown`() {
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
