import Foundation
import Sharing

/// Two windows on one file: what is done in one of them is seen in the other.
@main struct Demo {
  static func main() async throws {
    let path =
      CommandLine.arguments.dropFirst().first
      ?? FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    let pool = try DatabasePool(path: path)
    try await Schema.migrator.migrate(pool)
    setDefaultDatabase(pool)
    let store = ReminderStore(pool)

    let home = try await store.addList("Home")
    let shop = try await store.addList("Shop")
    let today = Date.now
    let water = try await store.add(
      Reminder(reminderListId: home.id!, title: "Water the plants", dueAt: today),
      tags: ["garden"]
    )
    _ = try await store.add(
      Reminder(reminderListId: shop.id!, title: "Buy seeds"),
      tags: ["garden"]
    )

    @SharedReader(.fetch(Overview(tomorrow: today + 86_400))) var overview = Overview.Value()
    let window = ReminderWindow()
    func show(_ event: String) async throws {
      try await $overview.load()
      try await window.show(ReminderFilter())
      let lists = overview.lists.map { "\($0.reminderList.name) \($0.openReminderCount)" }
      print(
        "\(event): \(lists.joined(separator: ", ")); today \(overview.counts.today);",
        window.titles.wrappedValue.joined(separator: ", ")
      )
    }
    try await show("two reminders")
    try await store.complete(water.id!, at: today)
    try await show("one is done")
    try await store.deleteList(shop.id!)
    try await show("a list is deleted")
    try await store.undo()
    try await show("and taken back")
    try await window.show(ReminderFilter(showsCompleted: true, text: "plant"))
    print("search:", window.titles.wrappedValue.joined(separator: ", "))
  }
}
