import Testing
import TestSupport

@testable import Storage

@Suite struct SpareElementsTests {
  /// A result whose arrays are kept, however small they are.
  private struct Result {
    let spare = SpareElements<String>(threshold: 0)
    var version = SpareElements<String>.Version()
    var elements: [String]

    mutating func apply(_ patch: RowPatch, _ rows: [String]) {
      spare.apply(patch, rows, to: &elements, &version)
    }

    var address: UnsafeRawPointer? { elements.withUnsafeBytes { $0.baseAddress } }
  }

  private static func replacing(_ place: Int, of count: Int) -> RowPatch {
    RowPatch(left: [place], arrived: [(place, 0)], count: count)
  }

  @Test func `two arrays are handed out in turn`() {
    var result = Result(elements: ["a", "b", "c"])
    var addresses: Set<UnsafeRawPointer?> = []
    for number in 0..<6 {
      result.apply(Self.replacing(number % 3, of: 3), ["\(number)"])
      addresses.insert(result.address)
    }
    #expect(result.elements == ["3", "4", "5"])
    #expect(addresses.count == 2)
  }

  @Test func `an array that a subscriber holds does not change`() {
    var result = Result(elements: ["a", "b"])
    var held = [result.elements]
    for number in 0..<5 {
      result.apply(Self.replacing(number % 2, of: 2), ["\(number)"])
      held.append(result.elements)
    }
    #expect(held == [["a", "b"], ["0", "b"], ["0", "1"], ["2", "1"], ["2", "3"], ["4", "3"]])
  }

  @Test func `a run that is not used leaves nothing that a later one uses`() {
    var result = Result(elements: ["a", "b"])
    result.apply(Self.replacing(0, of: 2), ["0"])
    var discarded = result
    discarded.apply(Self.replacing(1, of: 2), ["wrong"])
    result.apply(Self.replacing(1, of: 2), ["1"])
    #expect(result.elements == ["0", "1"])
    result.apply(Self.replacing(0, of: 2), ["2"])
    #expect(result.elements == ["2", "1"])
    discarded.apply(Self.replacing(0, of: 2), ["x"])
    #expect(discarded.elements == ["x", "wrong"])
  }

  @Test func `an array that is copied fast is not kept`() {
    let spare = SpareElements<String>(threshold: .max)
    var version = SpareElements<String>.Version()
    var elements = ["a"]
    spare.apply(Self.replacing(0, of: 1), ["b"], to: &elements, &version)
    #expect(elements == ["b"] && !spare.isKept)
  }

  @Test(arguments: Soak.seeds(400, inSuite: 40))
  func `soak: patched arrays equal new ones, also while subscribers hold older arrays`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    var ids = (0..<Int64(generator.number(below: 12))).map { $0 }
    var result = Result(elements: ids.map { "\($0)" })
    var held: [(array: [String], copy: [String])] = []
    var next = Int64(ids.count)
    for step in 0..<60 {
      var changed: Set<Int64> = []
      var new = ids
      for _ in 0...generator.number(below: 3) {
        switch generator.number(below: 4) {
        case 0 where !new.isEmpty:
          changed.insert(new.remove(at: generator.number(below: new.count)))
        case 1 where !new.isEmpty:
          let id = new.remove(at: generator.number(below: new.count))
          new.insert(id, at: generator.number(below: new.count + 1))
          changed.insert(id)
        case 2 where !new.isEmpty: changed.insert(new[generator.number(below: new.count)])
        default:
          new.insert(next, at: generator.number(below: new.count + 1))
          changed.insert(next)
          next += 1
        }
      }
      let patch = RowPatch(from: ids, to: new, changed: changed)
      let rows = new.filter(changed.contains).map { "\($0) after \(step)" }
      var expected = result.elements.map { String($0) }
      patch.apply(to: &expected, rows)
      result.apply(patch, rows)
      #expect(result.elements == expected)
      #expect(
        result.elements.map { $0.prefix { $0 != " " } } == new.map { "\($0)"[...] }
      )
      ids = new
      if generator.chance(40) { held.append((result.elements, result.elements.map { String($0) })) }
      if generator.chance(20) { held.removeAll() }
      for (array, copy) in held { #expect(array == copy) }
    }
  }
}
