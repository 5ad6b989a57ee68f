/// Looks for commits of others through the writing connection of a pool: on it alone, the number does
/// not move with the pool's own commits.
struct WriterProbe: ExternalChangeProbe {
  let writers: ConnectionQueue

  func adopt() {
    // A write that is running keeps others from committing; and the look that follows counts what
    // it finds as a change, because it is the first one.
    writers.accessIfIdle(.read) { db in
      (db.hooks as? ChangeTracker)?.externalCommits.adopt(db)
    }
  }

  func check(completion: @escaping @Sendable (ExternalChange) -> Void) {
    writers.submit(.read) { db in
      (db.hooks as? ChangeTracker)?.externalCommits.check(db) ?? false
    } completion: { result in
      // A closed database tells nothing.
      completion((try? result.get()) == true ? .some : .none)
    }
  }

  func rest() {}

  func fileWasReplaced() {}
}
