import Sharing
import SharingTestSupport
import Testing
import TestSupport

@Suite(.inMemoryDatabase(createShop), .patient) struct FetchKeyPagesTests {
  private let items = Item.order(\.name)

  private func insert(_ names: String...) async throws {
    try await testDatabase.write { db in
      for name in names {
        let id = try Int64.fetchOne(db, sql: "SELECT max(id) + 1 FROM item") ?? 1
        try Item(id: id, name: name).insert(db)
      }
    }
  }

  @Test func `a page follows the database`() async throws {
    @SharedReader(.fetchPage(items, size: 2, isCounted: true)) var page = KeysetPage()
    #expect(page.rows.map(\.name) == ["cup", "pot"])
    #expect(page.totalCount == 2 && !page.hasNext)
    try await insert("jug", "tub")
    try await quiesce()
    #expect(page.rows.map(\.name) == ["cup", "jug"])
    #expect(page.totalCount == 4 && page.hasNext)
  }

  @Test func `rows that come on the pages before do not move a page`() async throws {
    try await insert("jug", "tub")
    let first = SharedReader(wrappedValue: KeysetPage(), .fetchPage(items, size: 2))
    let next = try #require(first.wrappedValue.next)
    let second = SharedReader(wrappedValue: KeysetPage(), .fetchPage(items, after: next, size: 2))
    #expect(second.wrappedValue.rows.map(\.name) == ["pot", "tub"])
    try await insert("bin")
    try await testDatabase.run("DELETE FROM item WHERE name = 'cup'")
    try await quiesce()
    #expect(first.wrappedValue.rows.map(\.name) == ["bin", "jug"])
    #expect(second.wrappedValue.rows.map(\.name) == ["pot", "tub"])
    try await insert("mug")
    try await quiesce()
    #expect(second.wrappedValue.rows.map(\.name) == ["mug", "pot"])
  }

  @Test func `a reader goes on to the next page`() async throws {
    try await insert("jug", "tub", "mug")
    @SharedReader(.fetchPage(items, size: 2)) var page = KeysetPage()
    var names = page.rows.map(\.name)
    while let next = page.next {
      try await $page.load(.fetchPage(items, after: next, size: 2))
      names += page.rows.map(\.name)
    }
    #expect(names == ["cup", "jug", "mug", "pot", "tub"])
  }

  @Test func `equal pages share one query`() throws {
    let readers = (0..<3).map { _ in
      SharedReader(wrappedValue: KeysetPage(), .fetchPage(items, size: 2))
    }
    #expect(readers.allSatisfy { $0.wrappedValue.rows.count == 2 })
    #expect(try testDatabase.observationStatistics.live == 1)
    #expect(try testDatabase.observationStatistics.runs == 1)
  }

  @Test func `a position of another order is a failure`() {
    let first = SharedReader(wrappedValue: KeysetPage(), .fetchPage(items, size: 1))
    withKnownIssue {
      let other = SharedReader(
        wrappedValue: KeysetPage(),
        .fetchPage(Item.order(\.id), after: first.wrappedValue.next, size: 1)
      )
      #expect(other.wrappedValue.rows.isEmpty)
    } matching: { issue in
      "\(issue)".contains("the position belongs to another order")
    }
  }
}
