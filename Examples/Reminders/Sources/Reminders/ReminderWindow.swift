import Foundation
import Sharing

/// Which reminders a window shows, and in which order.
struct ReminderFilter: Hashable, Sendable {
  enum Scope: Hashable, Sendable {
    case all, flagged
    case list(Int64)
    case tag(Int64)
    /// Those that are due before a time.
    case due(before: Date)
  }

  enum Order: Hashable, Sendable {
    case dueDate, priority, title
  }

  var scope = Scope.all
  var order = Order.dueDate
  var showsCompleted = false
  /// What the user searches for.
  var text = ""

  init(
    _ scope: Scope = .all,
    order: Order = .dueDate,
    showsCompleted: Bool = false,
    text: String = ""
  ) {
    (self.scope, self.order) = (scope, order)
    (self.showsCompleted, self.text) = (showsCompleted, text)
  }

  /// The reminders, whether they are completed or not.
  private var matches: QueryInterfaceRequest<Reminder> {
    var reminders: QueryInterfaceRequest<Reminder>
    switch scope {
    case .all: reminders = Reminder.all()
    case .flagged: reminders = Reminder.filter { $0.isFlagged == true }
    case .list(let id): reminders = Reminder.filter { $0.reminderListId == id }
    case .tag(let id): reminders = Reminder.joining(required: Reminder.tags.filter { $0.id == id })
    case .due(let time): reminders = Reminder.filter { $0.dueAt < time }
    }
    if !text.isEmpty {
      let pattern = FTS5Pattern(matchingAllPrefixesIn: text)
      reminders = reminders.joining(required: Reminder.index.matching(pattern))
    }
    return reminders
  }

  var request: QueryInterfaceRequest<ReminderRow> {
    let reminders = showsCompleted ? matches : matches.filter { $0.completedAt == nil }
    let sorted =
      switch order {
      // Those without a date come last.
      case .dueDate: reminders.order { [$0.dueAt == nil, $0.dueAt, $0.id] }
      case .priority: reminders.order { [$0.priority.desc, $0.isFlagged.desc, $0.id] }
      case .title: reminders.order { [$0.title.collating(.nocase), $0.id] }
      }
    return sorted.including(all: Reminder.tags.order(\.name)).asRequest(of: ReminderRow.self)
  }

  var completed: QueryInterfaceRequest<Reminder> { matches.filter { $0.completedAt != nil } }
}

/// A reminder with its tags.
struct ReminderRow: Decodable, Equatable, Identifiable, Sendable, FetchableRecord {
  var reminder: Reminder
  var tags: [Tag]

  var id: Int64? { reminder.id }
}

/// The reminders of a filter, and how many of them are completed.
struct ReminderPage: FetchKeyRequest {
  var filter = ReminderFilter()

  struct Value: Equatable, Sendable {
    var rows: [ReminderRow] = []
    var completedCount = 0
  }

  func fetch(_ db: Database) throws -> Value {
    try Value(rows: filter.request.fetchAll(db), completedCount: filter.completed.fetchCount(db))
  }
}

/// A window that shows reminders. Windows with an equal filter share one query.
struct ReminderWindow: Sendable {
  @SharedReader(.fetch(ReminderPage())) var page = ReminderPage.Value()

  var rows: [ReminderRow] { page.rows }
  var completedCount: Int { page.completedCount }

  /// The titles, now and after each change.
  var titles: SharedReader<[String]> { $page.read { $0.rows.map(\.reminder.title) } }

  /// Shows other reminders: at once those that are there, and then each change.
  func show(_ filter: ReminderFilter) async throws {
    try await $page.load(.fetch(ReminderPage(filter: filter)))
  }
}
