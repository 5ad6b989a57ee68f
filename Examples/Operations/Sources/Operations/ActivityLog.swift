import Storage

/// Logs the activities that an operator has to know, each as one line.
public struct ActivityLog: DatabaseInstrument {
  private let write: @Sendable (_ level: String, _ line: String) -> Void

  /// Creates a log that passes its lines to a closure.
  public init(_ write: @escaping @Sendable (_ level: String, _ line: String) -> Void) {
    self.write = write
  }

  /// Logs the activity, if it is worth a line.
  public func record(_ activity: DatabaseActivity) {
    guard let level = Self.level(of: activity.kind) else { return }
    write(level, activity.description)
  }

  /// Batches and checkpoints are too many for a log: they are counted.
  private static func level(of kind: DatabaseActivity.Kind) -> String? {
    switch kind {
    case .opened, .closed: "info"
    case .busy(let wait): wait.hasEndedInTime ? "notice" : "warning"
    case .slowStatement, .walOverLimit: "warning"
    case .observationFailed: "error"
    default: nil
    }
  }
}
