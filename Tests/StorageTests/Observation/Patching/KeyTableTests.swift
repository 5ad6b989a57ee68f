import Testing

@testable import Storage

@Suite("The numbers of keys") struct KeyTableTests {
  private func key(_ number: Int64, _ text: String = "") -> RowKey {
    var bytes: [UInt8] = []
    bytes.appendKey(number)
    bytes.appendKey(text, .binary)
    return RowKey(bytes: bytes)
  }

  private func table(_ keys: [RowKey]) -> KeyTable {
    var table = KeyTable()
    for (place, key) in keys.enumerated() {
      let number = table.append {
        $0 += key.bytes
        return true
      }
      #expect(number == Int64(place))
    }
    return table
  }

  // Few keys are searched for one by one, many keys in one pass.
  @Test(arguments: [1, 3, 4, 5, 40])
  func `known keys keep their numbers, and others get new ones`(count: Int) throws {
    let keys = (0..<100).map { key($0, "key \($0)") }
    var table = table(keys)
    let wanted = Set((100 - count..<100 + count).map { key(Int64($0), "key \($0)") })
    let found = table.numbers(of: wanted)
    let numbers = try #require(found)
    #expect(numbers.count == 2 * count)
    for (key, number) in numbers { #expect(table.key(number) == key) }
    for place in 100 - count..<100 { #expect(numbers[keys[place]] == Int64(place)) }
    #expect(Set(numbers.values) == Set(Int64(100 - count)..<Int64(100 + count)))
    #expect(table.count == 100 + count)
    let again = table.numbers(of: wanted)
    #expect(again == numbers)
  }

  @Test func `a key that cannot be written has no number`() {
    var table = table([key(1)])
    let number = table.append { _ in false }
    #expect(number == nil)
    #expect(table.count == 1)
  }

  @Test func `keys in use move to a table of their own`() {
    let keys = (0..<1000).map { key($0, "key \($0)") }
    let table = table(keys)
    #expect(!table.isSparse(inUse: 1000))
    #expect(table.isSparse(inUse: 500))
    let few = table.selecting([7, 900, 3])
    #expect((0..<3).map { few.key($0) } == [keys[7], keys[900], keys[3]])
    #expect(few.memory < table.memory / 100)
  }
}
