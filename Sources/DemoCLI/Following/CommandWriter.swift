internal import Storage

/// Runs a command for each value with changes, which are its standard input.
///
/// No change is lost: commits during a run are in the next one, and a run that failed is repeated
/// with the same changes before the next one.
struct CommandWriter: ValueWriter {
  let command: ShellCommand
  let format: StreamFormat
  /// Whether a run that failed is repeated without another change.
  var retries = false
  /// Where the result is kept that the command has got, for the next start of the tool.
  var state: ExecState?
  var report: (String) -> Void = Tool.complain
  /// Waits some seconds, and returns whether the tool still runs.
  var pause: (Double) -> Bool = RunningCommand.shared.pause

  /// The result that the command has got.
  private var delivered: WatchedResult?
  /// The changes of a run that failed.
  private var failed: Batch?

  /// The changes of one run.
  private struct Batch {
    let value: WatchedValue
    let previous: WatchedResult
  }

  private static let firstPause = 0.25
  private static let longestPause = 60.0

  init(command: ShellCommand, format: StreamFormat) {
    self.command = command
    self.format = format
  }

  var comparesValues: Bool { true }
  var hasFailed: Bool { failed != nil }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    if delivered == nil {
      delivered = try state?.load(for: value.result)
      guard delivered != nil else {
        delivered = value.result
        try state?.save(value.result, since: nil)
        return false
      }
    }
    let hasFailed = failed != nil
    if let failed, try !run(failed) { return true }
    guard let delivered, !RowDiff.changes(to: value.result, since: delivered).isEmpty else {
      return hasFailed
    }
    _ = try run(Batch(value: value, previous: delivered))
    return true
  }

  /// Runs the command, again and again if that is wanted.
  ///
  /// - Returns: Whether the command has taken the changes.
  private mutating func run(_ batch: Batch) throws -> Bool {
    var seconds = Self.firstPause
    while true {
      let outcome = try command.run { input in
        var writer = format.makeWriter(onlyChanges: true, to: input)
        _ = try writer.write(batch.value, since: batch.previous)
      }
      guard let failure = outcome.failure else {
        failed = nil
        delivered = batch.value.result
        try state?.save(batch.value.result, since: batch.previous)
        return true
      }
      failed = batch
      // The command was ended with the tool.
      if RunningCommand.shared.hasEnded { return false }
      let message = "the command failed for commit \(batch.value.number): \(failure)"
      guard retries else {
        report(message)
        return false
      }
      report("\(message); it runs again in \(RealText.text(seconds)) seconds")
      guard pause(seconds) else { return false }
      seconds = min(2 * seconds, Self.longestPause)
    }
  }
}
