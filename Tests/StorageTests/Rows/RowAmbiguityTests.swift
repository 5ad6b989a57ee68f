@testable import Storage
import Testing

@Suite struct RowAmbiguityTests {
  @Test func `decode throws on ambiguity, subscripts take the leftmost`() throws {
    let row = Row(["NAME": 1, "name": 2])
    #expect(row["name"] == 1)
    #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "Name") }
  }
}
