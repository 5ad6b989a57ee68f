/// Runs a command for each value with changes, which are its standard input.
///
/// Commits during a run are not lost: the next value is compared with the one that the run was
/// started for.
struct CommandWriter: ValueWriter {
  let command: ShellCommand
  let format: StreamFormat
  var report: (String) -> Void = Tool.complain

  var comparesValues: Bool { true }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    guard let previous, !RowDiff.changes(to: value.result, since: previous).isEmpty else {
      return false
    }
    let outcome = try command.run { input in
      var writer = format.makeWriter(onlyChanges: true, to: input)
      _ = try writer.write(value, since: previous)
    }
    if let failure = outcome.failure {
      report("the command failed for commit \(value.number): \(failure)")
    }
    return true
  }
}
