import Testing

@testable import WellspringSystem

@Suite struct WeakListTests {
  private final class Object: Sendable {}

  @Test func `a list does not keep its objects, and removes the dead ones`() {
    var list = WeakList<Object>()
    let first = Object()
    var second: Object? = Object()
    let third = Object()
    for object in [first, second!, third] { list.append { [weak object] in object } }
    #expect(list.dead.isEmpty)
    second = nil
    #expect(list.entries.map { $0.object == nil } == [false, true, false])
    let dead = list.dead
    #expect(dead.count == 1)
    list.remove(dead)
    #expect(list.entries.map(\.object).map { $0 === first || $0 === third } == [true, true])
  }
}
