import Sharing

/// A queue of jobs for workers. Several processes can share the queue in one file.
public struct JobQueue: Sendable {
  private let database: any DatabaseWriter

  /// Creates a queue in a database that has the tables.
  public init(_ database: any DatabaseWriter) {
    self.database = database
  }

  /// Adds jobs, all of them or none.
  public func add(_ names: [String]) async throws {
    try await database.write { db in
      for name in names {
        try db.execute(literal: "INSERT INTO job (name) VALUES (\(name))")
      }
    }
  }

  /// Claims the oldest waiting job, which no other worker gets.
  func claim(for worker: String) async throws -> Job? {
    try await database.write { db in
      try Job.fetchOne(
        db,
        sql: """
          UPDATE job SET state = 'running', worker = ?
          WHERE id = (SELECT min(id) FROM job WHERE state = 'waiting')
          RETURNING *
          """,
        arguments: [worker]
      )
    }
  }

  /// Ends a job, and keeps how the attempt to run it ended.
  func end(_ job: Job, as state: Job.State, error: String? = nil) async throws {
    try await database.write { db in
      try db.execute(literal: "UPDATE job SET state = \(state) WHERE id = \(job.id)")
      try db.execute(
        literal: """
          INSERT INTO attempt (jobID, worker, error)
          VALUES (\(job.id), \(job.worker), \(error))
          """
      )
    }
  }

  /// Lets the jobs that have failed wait for another attempt.
  public func retryFailedJobs() async throws {
    try await database.write { db in
      try db.execute(sql: "UPDATE job SET state = 'waiting' WHERE state = 'failed'")
    }
  }
}
