import Foundation
import Sharing

/// What the first page shows, from one state of the database.
struct Overview: FetchKeyRequest {
  /// The day after the last one that is due today.
  var tomorrow: Date

  struct Value: Equatable, Sendable {
    var lists: [ListRow] = []
    var tags: [TagRow] = []
    var counts = Counts()
  }

  struct ListRow: Decodable, Equatable, Sendable, FetchableRecord {
    var reminderList: ReminderList
    var openReminderCount: Int
  }

  struct TagRow: Decodable, Equatable, Sendable, FetchableRecord {
    var tag: Tag
    var reminderCount: Int
  }

  struct Counts: Decodable, Equatable, Sendable, FetchableRecord {
    var all = 0
    var flagged = 0
    var scheduled = 0
    var today = 0
    var completed = 0
  }

  func fetch(_ db: Database) throws -> Value {
    let open = ReminderList.reminders.filter { $0.completedAt == nil }.forKey("openReminders")
    let counts: SQLRequest<Counts> = """
      SELECT count(*) FILTER (WHERE completedAt IS NULL) AS "all",
        count(*) FILTER (WHERE completedAt IS NULL AND isFlagged) AS flagged,
        count(*) FILTER (WHERE completedAt IS NULL AND dueAt IS NOT NULL) AS scheduled,
        count(*) FILTER (WHERE completedAt IS NULL AND dueAt < \(tomorrow)) AS today,
        count(completedAt) AS completed
      FROM reminder
      """
    return Value(
      lists: try ReminderList.annotated(with: open.count).order(\.id)
        .asRequest(of: ListRow.self).fetchAll(db),
      tags: try Tag.annotated(with: Tag.reminders.count).having(!Tag.reminders.isEmpty).order(
        \.name
      )
      .asRequest(of: TagRow.self).fetchAll(db),
      counts: try counts.fetchOne(db) ?? Counts()
    )
  }
}
