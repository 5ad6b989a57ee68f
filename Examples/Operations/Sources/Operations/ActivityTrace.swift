import Storage

/// A part of a trace: what has happened, from when to when.
public struct Span: Sendable {
  /// What has happened.
  public let name: String
  /// When it began.
  public let start: ContinuousClock.Instant
  /// When it ended.
  public let end: ContinuousClock.Instant
  /// What else is known.
  public let attributes: [String: String]
}

/// Turns activities that took some time into spans.
///
/// An activity is recorded when it has ended, so its beginning is its end without its duration.
public struct ActivityTrace: DatabaseInstrument {
  private let export: @Sendable (Span) -> Void

  /// Creates a trace that passes its spans to a closure.
  public init(_ export: @escaping @Sendable (Span) -> Void) {
    self.export = export
  }

  /// Passes a span on, if the activity took some time.
  public func record(_ activity: DatabaseActivity) {
    switch activity.kind {
    case .slowStatement(let statement):
      end(
        "slow statement",
        statement.duration,
        ["db.query.text": statement.sql, "plan": statement.plan.joined(separator: "\n")]
      )
    case .busy(let wait): end("wait for a lock", wait.duration)
    case .checkpoint(let checkpoint):
      end("checkpoint", checkpoint.duration, ["pages": "\(checkpoint.result.walFrameCount)"])
    case .batch(let batch):
      end("observed queries", batch.duration, ["queries": "\(batch.queryCount)"])
    default: break
    }
  }

  private func end(_ name: String, _ duration: Duration, _ attributes: [String: String] = [:]) {
    let now = ContinuousClock.now
    export(Span(name: name, start: now - duration, end: now, attributes: attributes))
  }
}
