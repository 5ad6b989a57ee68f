internal import CWellspringSQLite
internal import WellspringPlatform

extension ChangeTracker {
  /// A session has taken the preupdate hook. Until it ends, the tables that statements can write count
  /// as changed.
  func sessionDidBegin() {
    recordings += 1
    guard recordings == 1 else { return }
    recordedChanges = 0
    database.notesWrites = true
  }

  func statementWillWrite(_ statement: Statement) {
    guard !statement.isReadonly else { return }
    totalBeforeStatement = sqlite3_total_changes64(database.sqliteConnection)
    database.hasObserverNews = true
    let region = DatabaseRegion(
      tables: Dictionary(uniqueKeysWithValues: statement.effects.writes.map { ($0, .all) })
    )
    guard !region.isEmpty else { return }
    transaction.add(region.asChanges)
    if !observers.isEmpty {
      observers.note(database, changesOfKinds: try? region.eventKinds(database))
    }
  }

  /// - Parameter totalBefore: SQLite's count of all changes when the session began.
  func sessionDidEnd(totalBefore: Int64) {
    recordings -= 1
    guard recordings == 0 else { return }
    database.notesWrites = false
    if isInstalled { installHook() }
    let changes = sqlite3_total_changes64(database.sqliteConnection) - totalBefore
    transaction.excuse(rows: changes)
    // The raw handle has written what nobody knows.
    if changes > recordedChanges { transaction.setEverything() }
  }
}
