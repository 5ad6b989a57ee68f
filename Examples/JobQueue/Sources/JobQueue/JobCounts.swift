import Sharing

/// The number of jobs in each state. All counts come from one snapshot of the database.
struct JobCounts: FetchKeyRequest {
  struct Value: Equatable {
    var waiting = 0
    var done = 0
    var failed = 0
  }

  func fetch(_ db: Database) throws -> Value {
    func count(_ state: Job.State) throws -> Int {
      try Job.filter { $0.state == state }.fetchCount(db)
    }
    return try Value(waiting: count(.waiting), done: count(.done), failed: count(.failed))
  }
}
