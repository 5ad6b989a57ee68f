import Sharing

/// A job in the queue.
public struct Job: Codable, Equatable, Identifiable, Sendable {
  /// The progress of a job.
  public enum State: String, Codable, Sendable, DatabaseValueConvertible {
    case waiting, running, done, failed
  }

  /// The id of the job. Ids are ascending in the order of addition.
  public var id: Int64
  /// A description of the work.
  public var name: String
  /// The progress of the job.
  public var state: State
  /// The name of the worker that runs or has run the job.
  public var worker: String?
}

extension Job: FetchableRecord, PersistableRecord {
  /// Creates the tables of jobs and of the attempts to run them.
  public static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE job (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'waiting',
          worker TEXT
        );
        CREATE INDEX job_on_state ON job (state);
        CREATE TABLE attempt (
          id INTEGER PRIMARY KEY,
          jobID INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
          worker TEXT NOT NULL,
          error TEXT
        );
        CREATE INDEX attempt_on_jobID ON attempt (jobID);
        """
    )
  }
}
