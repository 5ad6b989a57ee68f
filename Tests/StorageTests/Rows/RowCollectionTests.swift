import Foundation
import Storage
import Testing

@Suite struct RowCollectionTests {
  @Test func `ROW-18, A-034: a row is a collection of names and values`() throws {
    try withRows("SELECT 1 AS id, 'cup' AS name, NULL AS id") { row in
      var pairs: [String] = []
      for (name, value) in row { pairs.append("\(name)=\(value)") }
      #expect(pairs == ["id=1", "name='cup'", "id=NULL"])
      #expect(row.reversed().map(\.0) == ["id", "name", "id"])
      #expect(row.count == 3)
      #expect(!row.isEmpty)
      #expect(row.first?.1 == 1.databaseValue)
      #expect(row.last?.1 == .null)
      #expect(row.dropFirst().first?.0 == "name")
      #expect(row.firstIndex { $0.0 == "name" }?.column == 1)
      #expect(row[row.index(row.startIndex, offsetBy: 1)].0 == "name")
      #expect(row.distance(from: row.startIndex, to: row.endIndex) == 3)
      let dictionary = Dictionary(row.map { ($0, $1) }, uniquingKeysWith: { left, _ in left })
      #expect(dictionary == ["id": 1.databaseValue, "name": "cup".databaseValue])
    }
  }

  @Test func `A-034: a row can be created from a dictionary`() throws {
    let literal: Row = ["b": 1, "a": nil]
    #expect(literal.columnNames == ["b", "a"])
    let dictionary: [String: (any DatabaseValueConvertible)?] = ["b": 1, "a": "x"]
    #expect(Row(dictionary).description == "[a:'x' b:1]")
    let untrusted: [AnyHashable: Any] = ["b": 1, "a": Data([1])]
    #expect(Row(untrusted)?.description == "[a:x'01' b:1]")
    #expect(Row(["a": [1]] as [AnyHashable: Any]) == nil)
    #expect(Row([1: "a"] as [AnyHashable: Any]) == nil)
    #expect(Row().isEmpty)
    #expect(Row() == [:])
  }
}
