import Testing
import WellspringSystem

@Suite struct FIFOTests {
  @Test func `elements are taken in the order in which they came`() {
    var line = FIFO<Int>()
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

  @Test func `an element that was taken is not kept`() {
    var line = FIFO<Token>()
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

  @Test func `an element in between is taken out of turn`() {
    var line = FIFO<Int>()
    for number in 0..<8 { line.append(number) }
    var taken = [line.popFirst(), line.removeFirst { $0 > 4 }, line.removeFirst { $0 == 0 }]
    taken += [line.removeFirst { $0 == 1 }, line.popFirst()]
    #expect(taken == [0, 5, nil, 1, 2])
    let rest = line.removeAll()
    #expect(rest == [3, 4, 6, 7])
    let isEmpty = line.isEmpty
    #expect(isEmpty)
  }
}
