@testable import Storage
import Testing

@Suite struct QueryLineTests {
  @Test func `queries are taken in the order in which they came`() {
    var line = QueryLine<Int>()
    var taken: [Int?] = []
    for number in 0..<10 {
      line.append(number)
      if number % 3 == 0 { taken.append(line.popFirst()) }
    }
    while let number = line.popFirst() { taken.append(number) }
    #expect(taken == Array(0..<10))
    let none = line.popFirst()
    #expect(none == nil)
  }

  private final class Token: Sendable {}

  @Test func `a query that was taken is not kept`() {
    var line = QueryLine<Token>()
    var (first, second) = (Token(), Token())
    for token in [first, second, Token()] { line.append(token) }
    _ = line.popFirst()
    let isReleased = isKnownUniquelyReferenced(&first)
    #expect(isReleased)
    let isKept = !isKnownUniquelyReferenced(&second)
    #expect(isKept)
    let count = line.removeAll().count
    #expect(count == 2)
    let areReleased = isKnownUniquelyReferenced(&second)
    #expect(areReleased)
  }
}
