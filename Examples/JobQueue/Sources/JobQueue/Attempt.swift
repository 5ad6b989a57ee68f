import Sharing

/// One run of a job by a worker.
public struct Attempt: Codable, Equatable, Identifiable, Sendable {
  /// The id of the attempt. Ids are ascending in the order of the ends.
  public var id: Int64
  /// The id of the job.
  public var jobID: Int64
  /// The name of the worker.
  public var worker: String
  /// Why the job failed; `nil` if it did not.
  public var error: String?
}

extension Attempt: FetchableRecord, TableRecord {}

extension Job {
  /// All attempts to run a job.
  static let attempts = hasMany(Attempt.self)
}

/// A job with all attempts to run it.
struct JobHistory: Decodable, Equatable, Sendable, FetchableRecord {
  var job: Job
  var attempts: [Attempt]
}
