import Testing
import TestSupport

@testable import Storage

/// The row ids of a result are kept in order without asking for all of them.
@Suite("The order of a patched result") struct RowOrderTests {
  /// Orders rows by numbers, then by id. Rows without a number are not in the result.
  struct Model {
    var keys: [Int64: Int] = [:]

    func sort(_ ids: some Sequence<Int64>) -> [Int64] {
      ids.sorted { (keys[$0] ?? 0, $0) < (keys[$1] ?? 0, $1) }
    }

    var sorted: [Int64] { sort(keys.keys) }
  }

  @Test func `rows leave, come, stay and move`() throws {
    var model = Model(keys: [1: 10, 2: 20, 3: 30, 4: 40])
    var order = RowOrder(model.sorted)
    model.keys = [1: 35, 3: 30, 4: 41, 5: 5]
    let patch = try #require(
      order.patch(changed: [1, 2, 4, 5, 6], present: [5, 1, 4], sort: model.sort)
    )
    #expect(patch.left == [0, 1, 3])
    #expect(patch.arrived.map(\.index) == [0, 2, 3])
    order.apply(patch, [5, 1, 4])
    #expect(order.ids == [5, 3, 1, 4])
  }

  @Test func `a result with a row twice, as of a damaged file, is not patched`() {
    let order = RowOrder([1, 51, 2, 51, 3])
    // Few rows are searched for one by one.
    #expect(order.patch(changed: [51, 6, 7, 8, 9], present: [51], sort: { $0 }) == nil)
    #expect(order.patch(changed: [2], present: [2], sort: { $0.sorted() }) != nil)
  }

  @Test func `a changed row that stays is compared with its neighbours only`() throws {
    let model = Model(keys: Dictionary(uniqueKeysWithValues: (0..<1000).map { (Int64($0), $0) }))
    let order = RowOrder(model.sorted)
    var sorts: [[Int64]] = []
    let patch = try #require(
      order.patch(changed: [500], present: [500]) {
        sorts.append($0)
        return model.sort($0)
      }
    )
    #expect(patch.keepsIndexes)
    #expect(sorts == [[500, 499, 501]])
  }

  @Test func `a place among a million is found in six steps`() throws {
    let order = RowOrder((0..<1_000_000).map { $0 * 2 })
    var sorts = 0
    let patch = order.patch(changed: [777_777], present: [777_777]) {
      sorts += 1
      return $0.sorted()
    }
    #expect(patch?.arrived.first?.index == 388_889)
    #expect(sorts <= 6)
  }

  @Test(arguments: [0: -1, 17: 1000])
  func `a row that leads a window, or stays behind it, is compared with two rows`(
    place: Int,
    key: Int
  ) throws {
    var model = Model(keys: Dictionary(uniqueKeysWithValues: (0..<18).map { (Int64($0), $0) }))
    let order = RowOrder(model.sorted, capacity: 18)
    model.keys[99] = key
    var sorts: [[Int64]] = []
    let patch = try #require(
      order.patch(changed: [99], present: [99]) {
        sorts.append($0)
        return model.sort($0)
      }
    )
    #expect(patch.arrived.map(\.index) == (place == 0 ? [0] : []))
    #expect(sorts == [[99, 0, 17]])
  }

  @Test func `a row that leaves a full window makes the query run`() throws {
    let model = Model(keys: [1: 10, 3: 30])
    let order = RowOrder([1, 2, 3], capacity: 3)
    #expect(order.patch(changed: [2], present: [], sort: model.sort) == nil)
  }

  @Test func `a row after the end of a full window changes nothing`() throws {
    let model = Model(keys: [1: 10, 2: 20, 3: 30])
    let order = RowOrder([1, 2], capacity: 2)
    let patch = order.patch(changed: [3], present: [3], sort: model.sort)
    #expect(patch == RowPatch(left: [], arrived: [], count: 2))
  }

  @Test func `a row that enters a full window pushes the last one out`() throws {
    let model = Model(keys: [1: 10, 2: 20, 3: 15])
    var order = RowOrder([1, 2], capacity: 2)
    let patch = try #require(
      order.patch(changed: [3], present: [3], sort: model.sort)
    )
    order.apply(patch, [3])
    #expect(order.ids == [1, 3])
  }

  @Test(arguments: [nil, 0, 1, 5, 12, 40])
  func `patched orders equal sorted ones`(capacity: Int?) throws {
    var generator = SeededGenerator(seed: UInt64(capacity ?? 99))
    for _ in 0..<Soak.size(20_000, inSuite: 200) {
      var model = Model()
      for _ in 0..<generator.number(in: 0..<40) {
        model.keys[Int64(generator.number(in: 0..<50))] = generator.number(in: 0..<8)
      }
      var order = RowOrder(Array(model.sorted.prefix(capacity ?? .max)), capacity: capacity)
      var places = order.ids.map { $0 * 100 + Int64(model.keys[$0]!) }
      for _ in 0..<5 {
        var changed: Set<Int64> = []
        for _ in 0..<generator.number(in: 0..<8) {
          let id = Int64(generator.number(in: 0..<50))
          model.keys[id] = generator.chance(30) ? nil : generator.number(in: 0..<8)
          changed.insert(id)
        }
        let present = model.sorted.filter(changed.contains)
        let expected = Array(model.sorted.prefix(capacity ?? .max))
        let patch = order.patch(changed: changed, present: present, sort: model.sort)
        if let patch {
          let old = order.ids
          order.apply(patch, present)
          expectPatchesOfFirstRows(patch, from: old, to: order.ids, changed)
          patch.apply(to: &places, present.map { $0 * 100 + Int64(model.keys[$0]!) })
        } else {
          #expect(order.isCut)
          order = RowOrder(expected, capacity: capacity)
          places = expected.map { $0 * 100 + Int64(model.keys[$0]!) }
        }
        #expect(order.ids == expected)
        #expect(places == expected.map { $0 * 100 + Int64(model.keys[$0]!) })
      }
    }
  }

  /// The patch for the first rows is the difference between these.
  private func expectPatchesOfFirstRows(
    _ patch: RowPatch,
    from old: [Int64],
    to new: [Int64],
    _ changed: Set<Int64>
  ) {
    for size in 0...12 {
      let (before, after) = (Array(old.prefix(size)), Array(new.prefix(size)))
      let difference = RowPatch(from: before, to: after, changed: changed)
      let hasNew = after.contains { !changed.contains($0) && !before.contains($0) }
      let found = patch.first(after.count, of: before.count)
      #expect((found == nil) == hasNew)
      guard let found else { continue }
      #expect(found.left == difference.left)
      #expect(found.arrived.map(\.index) == difference.arrived.map(\.index))
      #expect(found.count == difference.count)
    }
  }
}
