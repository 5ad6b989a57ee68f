/// What a look at a file found.
enum ForeignCommitFinding: Sendable {
  /// There were no foreign commits since the last look.
  case none
  /// There were none, and none is being written: before there is one, the log is written.
  case settled
  /// There were foreign commits, or may have been.
  case some
  /// A foreign commit may be under way: only a later look can find it.
  case unsettled
}
