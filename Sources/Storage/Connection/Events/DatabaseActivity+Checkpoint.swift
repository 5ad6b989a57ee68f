extension DatabaseActivity {
  /// A checkpoint: see ``Database/checkpoint(_:on:)``.
  public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
    /// How far it should go.
    public let mode: Database.CheckpointMode

    /// Whether a commit has made it, because the WAL was longer than
    /// ``Database/walAutoCheckpoint()``.
    public let isAutomatic: Bool

    /// How far it got.
    public let result: Database.CheckpointResult

    /// How long it took, with all waits.
    public let duration: Duration

    /// Creates a checkpoint, for example to test an instrument.
    public init(
      mode: Database.CheckpointMode,
      isAutomatic: Bool,
      result: Database.CheckpointResult,
      duration: Duration
    ) {
      self.mode = mode
      self.isAutomatic = isAutomatic
      self.result = result
      self.duration = duration
    }

    /// The mode, the numbers of pages and the duration, in one line.
    public var description: String {
      let pages = "\(result.checkpointedFrameCount) of \(result.walFrameCount) pages"
      let text = "checkpoint (\(mode)), \(DatabaseActivity.text(of: duration)): \(pages)"
      return result.isBusy ? "\(text), blocked by other connections" : text
    }
  }
}
