import Foundation
import Sharing
import SharingTestSupport
import Testing

@testable import Reminders

@Suite(.inMemoryDatabase { db in try Schema.migrator.migrate(db) })
struct RemindersTests {
  private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

  /// A store with two lists, and three reminders in the first one.
  private func makeStore() async throws -> ReminderStore {
    let store = ReminderStore(try testDatabase)
    _ = try await store.addList("Home")
    _ = try await store.addList("Shop")
    _ = try await store.add(
      Reminder(reminderListId: 1, title: "Water the plants", dueAt: Self.noon, isFlagged: true),
      tags: ["garden", "weekly"]
    )
    _ = try await store.add(
      Reminder(reminderListId: 1, title: "buy seeds", notes: "For the étagère", priority: .high),
      tags: ["garden"]
    )
    _ = try await store.add(Reminder(reminderListId: 1, title: "Call Ada", priority: .low))
    return store
  }

  private func titles(_ filter: ReminderFilter) async throws -> [String] {
    let window = ReminderWindow()
    try await window.show(filter)
    try await quiesce()
    return window.rows.map(\.reminder.title)
  }

  @Test func `the overview counts what is open, due, flagged and done`() async throws {
    let store = try await makeStore()
    @SharedReader(.fetch(Overview(tomorrow: Self.noon + 3600))) var overview = Overview.Value()
    try await store.complete(2, at: Self.noon)
    try await quiesce()
    #expect(overview.lists.map(\.openReminderCount) == [2, 0])
    #expect(overview.tags.map { "\($0.tag.name) \($0.reminderCount)" } == ["garden 2", "weekly 1"])
    #expect(
      overview.counts
        == Overview.Counts(all: 2, flagged: 1, scheduled: 1, today: 1, completed: 1)
    )
  }

  @Test(arguments: [
    (ReminderFilter(.list(1)), ["Water the plants", "buy seeds", "Call Ada"]),
    (ReminderFilter(.list(2)), []),
    (ReminderFilter(.flagged), ["Water the plants"]),
    (ReminderFilter(.due(before: noon)), []),
    (ReminderFilter(.due(before: noon + 1)), ["Water the plants"]),
    (ReminderFilter(.tag(1), order: .title), ["buy seeds", "Water the plants"]),
    (ReminderFilter(order: .priority), ["buy seeds", "Call Ada", "Water the plants"]),
    (ReminderFilter(order: .title), ["buy seeds", "Call Ada", "Water the plants"]),
    (ReminderFilter(text: "wat"), ["Water the plants"]),
    (ReminderFilter(text: "etag the"), ["buy seeds"]),
    (ReminderFilter(.flagged, text: "seeds"), []),
    (ReminderFilter(text: "\"( *"), []),
  ])
  func `a window shows what its filter says`(filter: ReminderFilter, expected: [String])
    async throws
  {
    let store = try await makeStore()
    #expect(try await titles(filter) == expected)
    _ = store
  }

  @Test func `completed reminders are hidden, counted, and deleted at once`() async throws {
    let store = try await makeStore()
    try await store.complete(1, at: Self.noon)
    try await store.complete(2, at: Self.noon)
    let window = ReminderWindow()
    try await window.show(ReminderFilter(text: "plants"))
    #expect(window.rows == [])
    #expect(window.completedCount == 1)
    try await store.deleteCompleted(ReminderFilter(text: "plants"))
    #expect(try await titles(ReminderFilter(showsCompleted: true)) == ["buy seeds", "Call Ada"])
  }

  @Test func `a window shows what is done in another one`() async throws {
    let store = try await makeStore()
    let (first, second) = (ReminderWindow(), ReminderWindow())
    try await first.show(ReminderFilter(.list(2)))
    try await second.show(ReminderFilter(.list(1)))
    async let seen = first.titles.values.first { !$0.isEmpty }
    try await store.move([3], to: 2)
    #expect(await seen == ["Call Ada"])
    try await quiesce()
    #expect(second.rows.map(\.reminder.title) == ["Water the plants", "buy seeds"])
    #expect(
      second.rows.map { $0.tags.map(\.name) } == [["garden", "weekly"], ["garden"]]
    )
  }

  @Test func `each step is taken back and made again, with its tags and found words`() async throws
  {
    let store = try await makeStore()
    let all = ReminderFilter(.list(1), text: "plants")
    try await store.deleteList(1)
    #expect(try await titles(all) == [])
    try await store.undo()
    let window = ReminderWindow()
    try await window.show(all)
    #expect(window.rows.map { $0.tags.map(\.name) } == [["garden", "weekly"]])
    try await store.redo()
    #expect(try await titles(all) == [])
    try await store.undo()
    // A new step is the end of what could be made again.
    _ = try await store.addList("Work")
    #expect(await !store.canRedo)
    while await store.canUndo { try await store.undo() }
    @SharedReader(.fetch(Overview(tomorrow: Self.noon))) var overview = Overview.Value()
    try await quiesce()
    #expect(overview == Overview.Value())
  }

  @Test func `a step is not taken back over a later change of the same row`() async throws {
    let store = try await makeStore()
    try await store.complete(1, at: Self.noon)
    try await testDatabase.write { db in
      try db.execute(sql: "UPDATE reminder SET completedAt = '2030-01-01' WHERE id = 1")
    }
    await #expect(throws: DatabaseError.self) { try await store.undo() }
    let completedAt = try await testDatabase.read { db in
      try String.fetchOne(db, sql: "SELECT completedAt FROM reminder WHERE id = 1")
    }
    #expect(completedAt == "2030-01-01")
    // The steps before can be.
    try await store.undo()
    #expect(try await titles(ReminderFilter()) == ["buy seeds"])
  }
}
