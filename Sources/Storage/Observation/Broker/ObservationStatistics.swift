/// What the observations of a database have done so far.
public struct ObservationStatistics: Hashable, Sendable {
  /// Commits that were looked at, and moments at which foreign commits were noticed.
  public internal(set) var commits = 0
  /// Moments at which foreign commits were noticed.
  public internal(set) var foreignCommits = 0
  /// How often foreign commits counted as a change of everything, by the reason: why it was not
  /// known which rows they had changed.
  public internal(set) var unreadForeignCommits: [String: Int] = [:]
  /// How often a query was run as a whole, first values included.
  public internal(set) var refetches = 0
  /// How often the last value of a query was patched by the rows that had changed.
  public internal(set) var patches = 0
  /// How long queries ran after their first values, as a sum over all queries. Delivering values
  /// is not part of it.
  public internal(set) var runTime = Duration.zero
  /// Queries that a commit has touched, and that have not begun to run again: they wait for a
  /// connection, or for the end of a pause that ``Configuration/observationShare`` asks for.
  public internal(set) var waiting = 0
  /// Values and errors that were delivered.
  public internal(set) var deliveries = 0
  /// Values that were equal to the one before, and not delivered.
  public internal(set) var suppressed = 0
  /// How many bytes are held at present so that values can be patched, beside the values
  /// themselves.
  public internal(set) var patchMemory = 0
  /// How many bytes are held at present to know which pages of the file belong to which observed
  /// table, so that the pages of a foreign commit tell the rows that it has changed.
  public internal(set) var pageMemory = 0
  /// Observations that are live.
  public internal(set) var live = 0
}
