import Foundation
import Sharing

/// A list of reminders.
struct ReminderList: MutableDatabaseRecord, Hashable {
  static let reminders = hasMany(Reminder.self)

  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// Something to do.
struct Reminder: MutableDatabaseRecord, Hashable {
  enum Priority: Int, Codable, Sendable, DatabaseValueConvertible {
    case low = 1
    case medium, high
  }

  static let list = belongsTo(ReminderList.self)
  static let taggings = hasMany(Tagging.self)
  static let tags = hasMany(Tag.self, through: taggings, using: Tagging.tag)
  static let index = hasOne(
    Table("reminderIndex"),
    using: ForeignKey([Column.rowID], to: [Column.rowID])
  )

  var id: Int64?
  var reminderListId: Int64
  var title: String
  var notes = ""
  var dueAt: Date?
  var completedAt: Date?
  var isFlagged = false
  var priority: Priority?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A word that reminders of several lists have in common.
struct Tag: MutableDatabaseRecord, Hashable {
  static let taggings = hasMany(Tagging.self)
  static let reminders = hasMany(Reminder.self, through: taggings, using: Tagging.reminder)

  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// That a reminder has a tag.
struct Tagging: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let reminder = belongsTo(Reminder.self)
  static let tag = belongsTo(Tag.self)

  var reminderId: Int64
  var tagId: Int64
}
