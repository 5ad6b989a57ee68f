import Testing
import WellspringSystem

@Suite struct WeakTableTests {
  private final class Object: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func `equal identities have one object while it is alive`() {
    let table = WeakTable()
    let first = table.object(for: "a") { Object(1) }
    let second = table.object(for: "a") { Object(2) }
    let other = table.object(for: "b") { Object(3) }
    #expect(first === second)
    #expect(other.number == 3)
  }

  @Test func `the table does not keep objects alive`() {
    let table = WeakTable()
    weak let first = table.object(for: "a") { Object(1) }
    #expect(first == nil)
    #expect(table.object(for: "a") { Object(2) }.number == 2)
  }

  @Test func `an unusable object is replaced`() {
    let table = WeakTable()
    let old = table.object(for: "a") { Object(1) }
    let new = table.object(for: "a", isUsable: { _ in false }) { Object(2) }
    #expect(old.number == 1)
    #expect(new.number == 2)
  }

  @Test func `a removed object is not returned again`() {
    let table = WeakTable()
    let old = table.object(for: "a") { Object(1) }
    table.remove(ObjectIdentifier(old), hash: AnyHashable("a").hashValue)
    let new = table.object(for: "a") { Object(2) }
    #expect(new !== old)
  }

  @Test func `identities with equal hashes have different objects`() {
    struct Identity: Hashable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let table = WeakTable()
    let objects = (0..<200).map { number in
      table.object(for: Identity(number: number)) { Object(number) }
    }
    #expect(objects.map(\.number) == Array(0..<200))
    for number in 0..<200 {
      let same = table.object(for: Identity(number: number)) { Object(-1) }
      #expect(same === objects[number])
    }
  }
}
