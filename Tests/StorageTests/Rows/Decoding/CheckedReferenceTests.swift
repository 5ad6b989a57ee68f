@testable import Storage
import Testing

@Suite struct CheckedReferenceTests {
  final class Target {
    let name: String
    let reference = CheckedReference<Target>()

    init(_ name: String) {
      self.name = name
      reference.attach(self)
    }

    deinit { reference.invalidate() }
  }

  @Test func `copies of a reference find its object, and do not keep it alive`() {
    weak var released: Target?
    do {
      let target = Target("a")
      released = target
      let copy = target.reference
      #expect(copy.withObject { $0.name } == "a")
      #expect(target.reference.withObject { $0 === target })
    }
    #expect(released == nil)
  }

  @Test func `a reference to a deallocated object stops, even if another object uses its slot`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var first: Target? = Target("a")
      let reference = first!.reference
      first = nil
      let second = Target("b")
      withExtendedLifetime(second) { print(reference.withObject { $0.name }) }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("was used after its row had been decoded"))
  }
}
