import Synchronization
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// The changes of patched arrays are the changes that a comparison finds, without a comparison.
@Suite("Changes of patched arrays") struct PatchedChangesTests {
  private struct Pair: Equatable, Sendable {
    let id: Int
    var text: Int
  }

  @Test func `a patch gives the same changes as comparing`() {
    var generator = SeededGenerator(seed: 5)
    for step in 0..<Soak.size(20_000, inSuite: 2000) {
      let count = generator.number(in: 0..<12)
      let old = Array(0..<count).map { Pair(id: $0, text: generator.number(in: 0..<3)) }
        .shuffled(using: &generator)
      let touched = Set(old.indices.filter { _ in generator.chance(30) })
      let staying = old.indices.filter { !touched.contains($0) }.map { (old[$0], false) }
      var new = staying
      for index in touched.sorted() where generator.chance(80) {
        var element = old[index]
        if generator.chance(50) { element.text += 1 }
        new.insert((element, true), at: generator.number(in: 0..<new.count + 1))
      }
      for id in 0..<generator.number(in: 0..<3) {
        let element = Pair(id: 100 + id, text: 0)
        new.insert((element, true), at: generator.number(in: 0..<new.count + 1))
      }
      let patch = ElementsPatch(
        left: touched.sorted(),
        arrived: new.indices.filter { new[$0].1 }
      )
      let elements = new.map(\.0)
      let patched = ElementChanges(from: old, to: elements, patch: patch, id: \.id, areEqual: ==)
      let compared = ElementChanges(from: old, to: elements, id: \.id, areEqual: ==)
      var copy = old
      patched.apply(to: &copy)
      let isSame =
        patched.removed.map(\.index) == compared.removed.map(\.index)
        && patched.inserted.map(\.index) == compared.inserted.map(\.index)
        && patched.updated.map(\.newIndex) == compared.updated.map(\.newIndex)
        && patched.updated.map(\.oldIndex) == compared.updated.map(\.oldIndex)
        // Several sets of elements may be the smallest sets to move.
        && patched.moved.count == compared.moved.count
      guard copy == elements, isSame else {
        Issue.record("step \(step): from \(old) to \(elements): \(patched) != \(compared)")
        return
      }
    }
  }

  @Test func `elements of a patch that share an identity are named`() {
    let old = [Pair(id: 1, text: 0), Pair(id: 2, text: 0)]
    let new = [Pair(id: 1, text: 0), Pair(id: 2, text: 1), Pair(id: 2, text: 2)]
    let patch = ElementsPatch(left: [1], arrived: [1, 2])
    let changes = ElementChanges(from: old, to: new, patch: patch, id: \.id, areEqual: ==)
    #expect(changes.duplicateIdentity == "2")
    #expect(changes.inserted.map(\.index) == [2])
  }

  /// An element that counts its comparisons.
  private struct Counted: Equatable, Sendable, FetchableRecord {
    static let comparisons = Atomic(0)
    let id: Int64
    let name: String

    init(row: Row) {
      id = row["id"]
      name = row["name"]
    }

    static func == (left: Counted, right: Counted) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return left.id == right.id && left.name == right.name
    }
  }

  @Test func `the elements of a patched array are not compared`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      for id in 1...500 { try Item(id: Int64(id), name: "n\(id)", price: 0).insert(db) }
    }
    let request = SQLRequest<Counted>(sql: "SELECT * FROM item ORDER BY id")
    let changes = ValueObservation.tracking(request).changes(in: queue, id: \.id)
    var iterator = changes.makeAsyncIterator()
    #expect(try await iterator.next()?.inserted.count == 500)
    let before = Counted.comparisons.load(ordering: .relaxed)
    var found: [[Int]] = []
    for sql in [
      "UPDATE item SET name = 'x' WHERE id = 300", "DELETE FROM item WHERE id = 2",
      // Equal values are not delivered, and the next patch still fits.
      "UPDATE item SET price = 7 WHERE id = 5",
      "INSERT INTO item VALUES (0, 'zero', 0)", "UPDATE item SET id = 1000 WHERE id = 10",
    ] {
      try await queue.write { db in try db.execute(sql: sql) }
      try await queue.quiesce()
      if sql.contains("price") { continue }
      let changes = try #require(try await iterator.next())
      found.append([
        changes.removed.count, changes.inserted.count, changes.updated.count, changes.moved.count,
      ])
    }
    #expect(found == [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]])
    #expect(Counted.comparisons.load(ordering: .relaxed) - before < 10)
    #expect(queue.observationStatistics.patches == 5)
  }

  @Test func `a value that was not patched is compared`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      for id in 1...300 { try Item(id: Int64(id), name: "n\(id)", price: 0).insert(db) }
    }
    let request = SQLRequest<Item>(sql: "SELECT * FROM item ORDER BY name")
    var iterator = ValueObservation.tracking(request).changes(in: queue, id: \.id)
      .makeAsyncIterator()
    var items: [Item] = []
    try await iterator.next()?.apply(to: &items)
    var counts: [Int] = []
    for sql in [
      "UPDATE item SET price = 1", "UPDATE item SET name = 'o' WHERE id = 3",
      "CREATE TABLE other (id); UPDATE item SET price = 2 WHERE id = 7",
    ] {
      try await queue.write { db in try db.execute(sql: sql) }
      let changes = try #require(try await iterator.next())
      changes.apply(to: &items)
      counts.append(changes.updated.count)
    }
    // Two commits may have come in one value, whose changes are the changes of both commits.
    #expect(counts == [300, 1, 1])
    #expect(try await queue.read { db in try request.fetchAll(db) } == items)
  }

  @Test func `elements that are equal after a run are held once, and patched`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      for id in 1...1200 { try Item(id: Int64(id), name: "n\(id)", price: 0).insert(db) }
    }
    let request = SQLRequest<String>(sql: "SELECT name FROM item WHERE price < 10 ORDER BY id")
    var iterator = ValueObservation.tracking(request).changes(in: queue) { $0 }.makeAsyncIterator()
    #expect(try await iterator.next()?.inserted.count == 1200)
    // Too many rows to be patched.
    try await queue.write { db in try db.execute(sql: "UPDATE item SET price = 1") }
    try await queue.quiesce()
    #expect(queue.observationStatistics.suppressed == 1)
    try await queue.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 7") }
    #expect(try await iterator.next()?.removed.map(\.index) == [6])
    #expect(queue.observationStatistics.patches == 1)
  }

  @Test func `values that a loop has skipped are compared`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      for id in 1...20 { try Item(id: Int64(id), name: "n\(id)", price: 0).insert(db) }
    }
    let request = SQLRequest<Item>(sql: "SELECT * FROM item ORDER BY id")
    var iterator = ValueObservation.tracking(request).changes(in: queue, id: \.id)
      .makeAsyncIterator()
    var items: [Item] = []
    try await iterator.next()?.apply(to: &items)
    for id in [3, 5, 7] {
      try await queue.write { db in
        try db.execute(sql: "UPDATE item SET name = 'new' WHERE id = ?", arguments: [id])
      }
      try await queue.quiesce()
    }
    let changes = try #require(try await iterator.next())
    changes.apply(to: &items)
    #expect(changes.updated.map(\.newElement.id) == [3, 5, 7])
    #expect(queue.observationStatistics.patches == 3)
    #expect(try await queue.read { db in try request.fetchAll(db) } == items)
  }

  @Test func `rows that change places but not their values are no new value`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      for id in 1...20 { try Item(id: Int64(id), name: "same", price: Double(id)).insert(db) }
    }
    let request = SQLRequest<String>(sql: "SELECT name FROM item ORDER BY price")
    let counts = Lock<[Int]>([])
    let observation = ValueObservation.tracking(request).start(in: queue, scheduling: .async) {
      Issue.record($0)
    } onChange: { names in
      counts.withLock { $0.append(names.count) }
    }
    try await queue.quiesce()
    try await queue.write { db in
      try db.execute(sql: "UPDATE item SET price = 100 WHERE id = 3")
    }
    try await queue.quiesce()
    try await queue.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 3") }
    try await queue.quiesce()
    #expect(counts.withLock { $0 } == [20, 19])
    #expect(queue.observationStatistics.patches == 2)
    observation.cancel()
  }
}
