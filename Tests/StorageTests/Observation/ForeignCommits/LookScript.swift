import Testing

@testable import Storage
@testable import StorageTestSupport

/// Drives a ``LookSchedule`` by text, as the monitor does by events: each line is a step, an arrow,
/// and the actions that must follow.
///
///     event       → look
///     unsettled   → pause 0.2
///     pause ends  → look
///     some        → notify, pause 0.3
///
/// Steps are `activate`, `deactivate`, `stop`, `event`, `own event`, `directory lost`, `tick`,
/// `ask` with the name of a waiter, the four findings, `pause ends` for the last pause and
/// `old pause ends` for the pause before it. `file`, `no file`, `attach`, `watches fail` and
/// `watches work` change the surroundings of the schedule. Pauses are in milliseconds.
struct LookScript {
  private var schedule = LookSchedule<String, String>()
  private var file: String? = "first"
  private var attachedFiles: [String] = []
  private var areWatchesComplete = true
  private var lastPause: UInt64 = 0
  private var actions: [String] = []

  /// Runs a script.
  ///
  /// - Returns: The same text, with the actions that did follow.
  static func run(_ text: String, isResting: Bool = false) throws -> String {
    var script = LookScript()
    if isResting { try script.rest() }
    return try text.split(separator: "\n").map { line in
      let arrow = try #require(line.firstIndex(of: "→"), "\(line) has no arrow")
      let step = line[..<arrow].split(separator: " ").joined(separator: " ")
      return try "\(line[..<arrow])→ \(script.run(step).joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  var isResting: Bool { schedule.isResting }

  /// Activates the schedule, and lets the first sequence of looks end.
  mutating func rest() throws {
    _ = try run("activate")
    _ = try runSequence("none")
  }

  /// Ends the present look with this finding, and so all looks that follow.
  ///
  /// - Returns: The actions after each look.
  mutating func runSequence(_ finding: String) throws -> [String] {
    var results: [String] = []
    while !isResting {
      results += try [run(finding).joined(separator: ", ")]
      _ = try run("pause ends")
    }
    return results
  }

  /// Runs one step.
  ///
  /// - Returns: The actions that follow.
  mutating func run(_ step: String) throws -> [String] {
    let words = step.split(separator: " ").map(String.init)
    let actions: [LookSchedule<String, String>.Action]
    switch (words[0], step) {
    case (_, "activate"): actions = schedule.activate(at: file)
    case (_, "deactivate"): actions = schedule.deactivate()
    case (_, "stop"): actions = schedule.stop()
    case (_, "event"): actions = schedule.eventDidArrive(isExplained: false)
    case (_, "own event"): actions = schedule.eventDidArrive(isExplained: true)
    case (_, "directory lost"):
      actions = schedule.eventDidArrive(isExplained: false, directoryWasLost: true)
    case (_, "tick"): actions = schedule.tick()
    case ("ask", _): actions = schedule.ask(words[1])
    case (_, "none"): actions = schedule.lookDidEnd(.none, attachedFiles: attachedFiles)
    case (_, "some"): actions = schedule.lookDidEnd(.some, attachedFiles: attachedFiles)
    case (_, "settled"): actions = schedule.lookDidEnd(.settled, attachedFiles: attachedFiles)
    case (_, "unsettled"): actions = schedule.lookDidEnd(.unsettled, attachedFiles: attachedFiles)
    case (_, "pause ends"): actions = schedule.pauseDidEnd(lastPause)
    case (_, "old pause ends"): actions = schedule.pauseDidEnd(lastPause &- 1)
    default:
      actions = []
      switch (words[0], step) {
      case ("file", _): file = words[1]
      case (_, "no file"): file = nil
      case ("attach", _): attachedFiles.append(words[1])
      case (_, "watches fail"): areWatchesComplete = false
      case (_, "watches work"): areWatchesComplete = true
      default: Issue.record("\(step) is no step")
      }
    }
    self.actions = []
    perform(actions)
    return self.actions.isEmpty ? ["nothing"] : self.actions
  }

  private mutating func perform(_ actions: [LookSchedule<String, String>.Action]) {
    for action in actions { perform(action) }
  }

  private mutating func perform(_ action: LookSchedule<String, String>.Action) {
    switch action {
    case .adopt: actions.append("adopt")
    case .watch:
      actions.append((["watch"] + attachedFiles).joined(separator: " "))
      perform(schedule.didWatch(attachedFiles: attachedFiles, isComplete: areWatchesComplete))
    case .startTicking(let interval): actions.append("tick every \(text(interval)) s")
    case .stopWatching: actions.append("stop watching")
    case .setReady(let isReady): actions.append(isReady ? "ready" : "not ready")
    case .beginLook: perform(schedule.lookDidBegin(at: file))
    case .replaceFile: actions.append("replace")
    case .look: actions.append("look")
    case .pause(let seconds, let number):
      lastPause = number
      actions.append("pause \(text(seconds * 1000))")
    case .notifyChange: actions.append("notify")
    case .notifyTick: actions.append("notify tick")
    case .answer(let waiters): actions.append("answer " + waiters.joined(separator: " "))
    case .rest: actions.append("rest")
    }
  }

  private func text(_ number: Double) -> String {
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
