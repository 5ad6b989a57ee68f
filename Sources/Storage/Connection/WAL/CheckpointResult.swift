extension Database {
  /// The result of a checkpoint.
  public struct CheckpointResult: Hashable, Sendable {
    /// The number of pages in the WAL; 0 after the WAL was truncated, and for a database without
    /// one.
    public let walFrameCount: Int
    /// The number of those pages that are now in the database file.
    public let checkpointedFrameCount: Int
    /// Whether a reader or a writer blocked the checkpoint until the timeout of
    /// ``Configuration/busyMode``, so that the checkpoint is incomplete.
    public let isBusy: Bool

    /// Whether all pages of the WAL are in the database file.
    public var isComplete: Bool { checkpointedFrameCount == walFrameCount }

    /// Creates a result, for example to test an instrument.
    public init(walFrameCount: Int, checkpointedFrameCount: Int, isBusy: Bool = false) {
      self.walFrameCount = walFrameCount
      self.checkpointedFrameCount = checkpointedFrameCount
      self.isBusy = isBusy
    }
  }
}
