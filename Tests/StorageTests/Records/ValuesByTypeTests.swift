import Testing

@testable import Storage

@Suite("Values by type") struct ValuesByTypeTests {
  private final class Found: Sendable {}
  private struct Box<Value> {}

  @Test func `a value is found once for each type`() {
    let values = ValuesByType<Found>()
    let first = values.value(of: Int.self) { Found() }
    #expect(values.value(of: Int.self) { Found() } === first)
    #expect(values.value(of: [Int].self) { Found() } !== first)
    #expect(values.value(of: Int.self) { Found() } === first)
  }

  @Test func `many types have a value each`() {
    let values = ValuesByType<String>()
    var types: [Any.Type] = [Int.self, String.self]
    func add<Value>(_ type: Value.Type) { types.append(Box<Value>.self) }
    for index in 0..<1_000 { _openExistential(types[index], do: add) }
    for _ in 0..<2 {
      for type in types { #expect(values.value(of: type) { "\(type)" } == "\(type)") }
    }
  }

  @Test func `threads use one value`() async {
    for _ in 0..<50 {
      let values = ValuesByType<Found>()
      await withTaskGroup(of: Found.self) { group in
        for _ in 0..<8 { group.addTask { values.value(of: Int.self) { Found() } } }
        let known = values.value(of: Int.self) { Found() }
        for await found in group { #expect(found === known) }
      }
    }
  }
}
