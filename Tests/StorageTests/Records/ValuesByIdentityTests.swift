import Testing

@testable import Storage

@Suite struct ValuesByIdentityTests {
  private final class Found: Sendable {}
  private struct Box<Value> {}

  @Test func `a value is found once for each type`() {
    let values = ValuesByIdentity<Found>()
    let first = values.value(of: Int.self) { Found() }
    #expect(values.value(of: Int.self) { Found() } === first)
    #expect(values.value(of: [Int].self) { Found() } !== first)
    #expect(values.value(of: Int.self) { Found() } === first)
  }

  @Test func `many types have a value each`() {
    let values = ValuesByIdentity<String>()
    var types: [Any.Type] = [Int.self, String.self]
    func add<Value>(_ type: Value.Type) { types.append(Box<Value>.self) }
    for index in 0..<1_000 { _openExistential(types[index], do: add) }
    for _ in 0..<2 {
      for type in types { #expect(values.value(of: type) { "\(type)" } == "\(type)") }
    }
  }

  @Test func `an object has the value that was added first`() {
    let values = ValuesByIdentity<String>()
    let (object, other) = (Found(), Found())
    #expect(values.value(of: ObjectIdentifier(object)) == nil)
    #expect(values.add("first", of: ObjectIdentifier(object)) == "first")
    #expect(values.add("second", of: ObjectIdentifier(object)) == "first")
    #expect(values.value(of: ObjectIdentifier(object)) == "first")
    #expect(values.value(of: ObjectIdentifier(other)) == nil)
  }

  @Test func `threads use one value`() async {
    for _ in 0..<50 {
      let values = ValuesByIdentity<Found>()
      await withTaskGroup(of: Found.self) { group in
        for _ in 0..<8 { group.addTask { values.value(of: Int.self) { Found() } } }
        let known = values.value(of: Int.self) { Found() }
        for await found in group { #expect(found === known) }
      }
    }
  }
}
