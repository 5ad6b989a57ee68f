import Storage
import Testing
import TestSupport

@testable import DemoCLI

/// Changes between results that share rows, as ``ResultReader`` returns them.
@Suite struct SharedRowsTests {
  private static let first = result(
    ["id", "name"],
    [[1, "a"], [2, "b"], [3, "b"], [4, "b"], [5, "c"]],
    keys: [0]
  )

  /// Returns the changes from the first result to a result that shares rows with it.
  private func next(_ change: (inout [WatchedRow]) -> Void) -> [ResultChange] {
    var rows = Self.first.rows.rows
    change(&rows)
    let next = WatchedResult(columns: Self.first.columns, rows: rows, key: Self.first.key)
    return RowDiff.changes(to: next, since: Self.first)
  }

  @Test func `nothing has changed`() {
    #expect(next { _ in } == [])
  }

  @Test func `a row is updated, inserted or removed between shared rows`() {
    let new = result(["id", "name"], [[3, "B"], [9, "z"]], keys: [0])
    #expect(
      next { $0[2] = new.rows.rows[0] }
        == [.updated(new.rows[0], old: Self.first.rows[2], columns: [1])]
    )
    for index in 0...5 {
      let changes = next { $0.insert(new.rows.rows[1], at: index) }
      #expect(changes == [.inserted(new.rows[1])], "at \(index)")
    }
    for index in 0..<5 {
      let changes = next { $0.remove(at: index) }
      #expect(changes == [.removed(Self.first.rows[index])], "at \(index)")
    }
  }

  @Test func `without keys, equal rows are counted`() {
    let b = ["b".databaseValue]
    let previous = WatchedResult(columns: ["name"], rows: [b, b, b])
    let next = WatchedResult(columns: ["name"], rows: [b, b])
    #expect(RowDiff.changes(to: next, since: previous) == [.removed(b)])
    #expect(RowDiff.changes(to: previous, since: next) == [.inserted(b)])
  }

  @Test func `of several rows without keys, one that changes as a whole is removed and inserted`() {
    let (a, b, c) = (["a".databaseValue], ["b".databaseValue], ["c".databaseValue])
    let previous = WatchedResult(columns: ["name"], rows: [a, b])
    for (index, kept) in [(0, 1), (1, 0)] {
      var rows = previous.rows.rows
      rows[index] = WatchedRow(cells: c)
      let next = WatchedResult(columns: ["name"], rows: rows)
      #expect(
        Set(RowDiff.changes(to: next, since: previous).map(\.name)) == ["inserted", "removed"],
        "\(kept) stays"
      )
    }
  }

  @Test func `without keys, shared rows change nothing, also where rows are equal or stand twice`()
  {
    for seed in UInt64(1)...30 {
      var random = SeededGenerator(seed: seed)
      let kinds = (0..<5).map { WatchedRow(cells: [$0.databaseValue, ($0 % 2).databaseValue]) }
      let rows = (0..<300).map { _ in kinds[Int.random(in: 0..<5, using: &random)] }
      var changed = rows
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let index = Int.random(in: changed.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed.insert(kinds[Int.random(in: 0..<5, using: &random)], at: index)
        case 1: changed.remove(at: index)
        default: changed[index] = WatchedRow(cells: [7.databaseValue, 7.databaseValue])
        }
      }
      let previous = WatchedResult(columns: ["a", "b"], rows: rows)
      let next = WatchedResult(columns: ["a", "b"], rows: changed)
      var counts: [[DatabaseValue]: Int] = [:]
      for row in next.rows { counts[row, default: 0] += 1 }
      for row in previous.rows { counts[row, default: 0] -= 1 }
      for change in RowDiff.changes(to: next, since: previous) {
        switch change {
        case .inserted(let row): counts[row, default: 0] -= 1
        case .removed(let row): counts[row, default: 0] += 1
        case .updated(let row, let old, _):
          counts[row, default: 0] -= 1
          counts[old, default: 0] += 1
        }
      }
      // The changes lead from one result to the other.
      #expect(counts.values.allSatisfy { $0 == 0 }, "seed \(seed)")
    }
  }

  @Test func `another column is a change of each row`() {
    let first = Self.first
    let next = WatchedResult(columns: ["id", "title"], rows: first.rows.rows, key: first.key)
    #expect(RowDiff.changes(to: next, since: first).count == 5)
  }

  /// Random rows are inserted, updated, removed, moved and copied. The changes are the same as
  /// between results that share no row.
  @Test(arguments: [1, 5, 40, 300, 1_000])
  func `shared rows change nothing`(changeCount: Int) {
    for seed in UInt64(1)...6 {
      var random = SeededGenerator(seed: seed)
      let rows = (0..<2_000).map { id in
        WatchedRow(cells: [id.databaseValue, (id % 7).databaseValue, id.databaseValue])
      }
      var changed = rows
      for number in 0..<Int.random(in: 1...changeCount, using: &random) {
        let index = Int.random(in: changed.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let id = (5_000 + number).databaseValue
          changed.insert(WatchedRow(cells: [id, 0.databaseValue, id]), at: index)
        case 1: changed.remove(at: index)
        case 2: changed[index].cells[1] = (100 + number).databaseValue
        case 3: changed.insert(changed.remove(at: index), at: index / 2)
        default: changed[index] = WatchedRow(cells: changed[index].cells.map { $0 })
        }
      }
      let copies = changed.map { row in
        var copy = row
        copy.cells.reserveCapacity(10)
        return copy
      }
      let previous = WatchedResult(columns: ["id", "n"], rows: rows, key: .appended(count: 1))
      let next = WatchedResult(columns: ["id", "n"], rows: changed, key: .appended(count: 1))
      let copied = WatchedResult(columns: ["id", "n"], rows: copies, key: .appended(count: 1))
      let changes = RowDiff.changes(to: next, since: previous)
      #expect(changes == RowDiff.changes(to: copied, since: previous), "seed \(seed)")
      #expect(next == copied)
    }
  }
}
