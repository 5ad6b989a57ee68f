import Sharing

/// A piece of work.
public struct Job: Codable, Equatable, Identifiable, Sendable {
  public enum State: String, Codable, Sendable, DatabaseValueConvertible {
    case waiting, running, done, failed
  }

  public var id: Int64
  public var name: String
  public var state: State
  /// Who runs it, or has run it.
  public var worker: String?
}

extension Job: FetchableRecord, PersistableRecord {
  public enum Columns {
    public static let id = Column("id")
    public static let name = Column("name")
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
