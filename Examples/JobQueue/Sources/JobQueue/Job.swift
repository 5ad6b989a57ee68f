import Sharing

/// A piece of work.
public struct Job: Codable, Equatable, Identifiable, Sendable {
  /// How far it has come.
  public enum State: String, Codable, Sendable, DatabaseValueConvertible {
    case waiting, running, done, failed
  }

  /// The number of the job: the first one added comes first.
  public var id: Int64
  /// What is to be done, in words.
  public var name: String
  /// How far it has come.
  public var state: State
  /// Who runs it, or has run it.
  public var worker: String?
}

extension Job: FetchableRecord, PersistableRecord {
  /// The columns that requests name.
  public enum Columns {
    /// The key.
    public static let id = Column("id")
    /// ``Job/name``.
    public static let name = Column("name")
    /// ``Job/state-swift.property``.
    public static let state = Column("state")
  }

  /// Creates the table of jobs.
  public static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE job (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'waiting',
          worker TEXT
        );
        CREATE INDEX job_on_state ON job (state);
        """
    )
  }
}
