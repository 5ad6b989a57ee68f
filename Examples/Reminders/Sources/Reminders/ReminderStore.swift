import Foundation
import Sharing

/// Changes reminders, and takes changes back.
actor ReminderStore {
  private let database: any DatabaseWriter
  /// What can be taken back, and what was, with the last one at the end.
  private var done: [Changeset] = []
  private var undone: [Changeset] = []

  /// Creates a store of a database that has the tables: see ``Schema``.
  init(_ database: any DatabaseWriter) {
    self.database = database
  }

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Runs updates as one step of undo.
  private func step<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let (value, changes) = try await database.write { db in
      var value: Value?
      let changes = try db.recordChangeset { value = try updates(db) }
      return (value!, changes)
    }
    done.append(changes)
    undone = []
    return value
  }

  /// Takes the last step back.
  ///
  /// - Throws: `DatabaseError` if another writer has changed the same rows since. Then the step can
  ///   no longer be taken back, and nothing has changed.
  func undo() async throws {
    guard let changes = done.popLast() else { return }
    try await apply(changes.inverted())
    undone.append(changes)
  }

  /// Makes the last step again that was taken back.
  ///
  /// - Throws: `DatabaseError`, as ``undo()``.
  func redo() async throws {
    guard let changes = undone.popLast() else { return }
    try await apply(changes)
    done.append(changes)
  }

  private func apply(_ changes: Changeset) async throws {
    try await database.write { db in
      try db.apply(changeset: changes) { conflict in
        // The deletion of a list has deleted its reminders before their turn.
        let isGone = conflict.reason == .notFound && conflict.operation?.kind == .delete
        return isGone ? .omit : .abort
      }
    }
  }
}

// MARK: - Steps

extension ReminderStore {
  func addList(_ name: String) async throws -> ReminderList {
    try await step { db in try ReminderList(name: name).inserted(db) }
  }

  /// Deletes a list with its reminders.
  func deleteList(_ id: Int64) async throws {
    try await step { db in _ = try ReminderList.deleteOne(db, key: id) }
  }

  /// Adds a reminder with tags, which are created if they are new.
  func add(_ reminder: Reminder, tags: [String] = []) async throws -> Reminder {
    try await step { db in
      let added = try reminder.inserted(db)
      try Self.setTags(tags, of: added.id!, db)
      return added
    }
  }

  func save(_ reminder: Reminder, tags: [String]) async throws {
    try await step { db in
      try reminder.update(db)
      try Self.setTags(tags, of: reminder.id!, db)
    }
  }

  func complete(_ id: Int64, at time: Date?) async throws {
    try await step { db in
      _ = try Reminder.filter { $0.id == id }.updateAll(db) { $0.completedAt.set(to: time) }
    }
  }

  func move(_ ids: [Int64], to list: Int64) async throws {
    try await step { db in
      _ = try Reminder.filter { ids.contains($0.id) }
        .updateAll(db) { $0.reminderListId.set(to: list) }
    }
  }

  /// Deletes the reminders that a filter shows and that are completed.
  func deleteCompleted(_ filter: ReminderFilter) async throws {
    try await step { db in
      let ids = try filter.completed.fetchAll(db).compactMap(\.id)
      _ = try Reminder.deleteAll(db, keys: ids)
    }
  }

  private static func setTags(_ names: [String], of reminder: Int64, _ db: Database) throws {
    _ = try Tagging.filter { $0.reminderId == reminder }.deleteAll(db)
    for name in Set(names).sorted() {
      let tag = try Tag.filter { $0.name == name }.fetchOne(db) ?? Tag(name: name).inserted(db)
      try Tagging(reminderId: reminder, tagId: tag.id!).insert(db)
    }
  }
}
