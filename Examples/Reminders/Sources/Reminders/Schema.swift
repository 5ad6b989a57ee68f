import Sharing

/// The tables of the app.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create lists and reminders") { db in
      try db.create(table: "reminderList") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
      }
      try db.create(table: "reminder") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("reminderList", onDelete: .cascade).notNull()
        t.column("title", .text).notNull()
        t.column("notes", .text).notNull()
        t.column("dueAt", .datetime).indexed()
        t.column("completedAt", .datetime)
        t.column("isFlagged", .boolean).notNull()
        t.column("priority", .integer)
      }
    }
    migrator.registerMigration("Create tags") { db in
      try db.create(table: "tag") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "tagging") { t in
        t.primaryKey {
          t.belongsTo("reminder", onDelete: .cascade)
          t.belongsTo("tag", onDelete: .cascade)
        }
      }
    }
    migrator.registerMigration("Index the words of reminders") { db in
      try db.create(virtualTable: "reminderIndex", using: FTS5()) { t in
        t.synchronize(withTable: "reminder")
        t.column("title")
        t.column("notes")
      }
    }
    return migrator
  }
}
