/// Decides which failures are reported, and when: a state machine without side effects. The clock
/// is passed in.
///
/// The first failure is reported at once. Equal failures that follow within a window of time are
/// counted, and reported together when it ends, which begins the next window. When more different
/// failures come than there is room for, the further ones are counted together.
struct FailureReportsStateMachine: Sendable {
  /// A failure, with the text that equal failures share.
  struct Failure: Sendable {
    let source: String
    let error: any Error
    let text: String

    /// - Parameters:
    ///   - source: The source of the failure.
    ///   - error: The error.
    ///   - text: The text that equal failures share; `nil` for the description of the error.
    init(source: String, error: any Error, text: String? = nil) {
      self.source = source
      self.error = error
      self.text = text ?? String(describing: error)
    }
  }

  /// The work to do after a change.
  struct Effects: Sendable {
    var reports: [FailureReport] = []
    /// The time at which ``wake(now:)`` must be called.
    var wakeTime: Duration?
  }

  /// The source of a report on failures beyond the capacity.
  static let otherSources = "other sources"

  /// The properties that equal failures share.
  private enum Kind: Hashable {
    case equal(source: String, text: String)
    /// The failures beyond the capacity.
    case other
  }

  /// The failures of a kind since the last report.
  private struct Window {
    var end: Duration
    var count = 0
    var last: (any Error)?
  }

  private let length: Duration
  private let capacity: Int
  private var windows: [Kind: Window] = [:]
  /// Whether a wake is due. None is due while no failure was counted.
  private var isWakeDue = false

  /// Creates a machine.
  ///
  /// - Parameters:
  ///   - length: How long equal failures are counted.
  ///   - capacity: How many different failures are told apart.
  init(length: Duration = .seconds(10), capacity: Int = 100) {
    self.length = length
    self.capacity = capacity
  }

  /// Receives a failure.
  mutating func receive(_ failure: Failure, now: Duration) -> Effects {
    var kind = Kind.equal(source: failure.source, text: failure.text)
    if windows[kind] == nil, windows.count >= capacity {
      // Windows without a count have nothing left to report.
      windows = windows.filter { $0.value.end > now || $0.value.count > 0 }
      if windows.count >= capacity { kind = .other }
    }
    guard var window = windows[kind], window.end > now || window.count > 0 else {
      windows[kind] = Window(end: now + length)
      return Effects(reports: [FailureReport(source: failure.source, error: failure.error)])
    }
    window.count += 1
    window.last = failure.error
    windows[kind] = window
    guard !isWakeDue else { return Effects() }
    isWakeDue = true
    return Effects(wakeTime: window.end)
  }

  /// Reports the failures that were counted in windows that have ended.
  mutating func wake(now: Duration) -> Effects {
    var effects = report(now: now) { $0.end <= now }
    effects.wakeTime = windows.values.filter { $0.count > 0 }.map(\.end).min()
    isWakeDue = effects.wakeTime != nil
    return effects
  }

  /// Reports all failures that were counted, because the process may be about to end.
  mutating func flush(now: Duration) -> Effects { report(now: now) { $0.count > 0 } }

  private mutating func report(now: Duration, where isDue: (Window) -> Bool) -> Effects {
    var effects = Effects()
    for (kind, window) in windows where isDue(window) {
      guard window.count > 0, let error = window.last else {
        windows[kind] = nil
        continue
      }
      let source: String =
        switch kind {
        case .equal(let source, _): source
        case .other: Self.otherSources
        }
      effects.reports.append(FailureReport(source: source, error: error, count: window.count))
      windows[kind] = Window(end: now + length)
    }
    effects.reports.sort { $0.source < $1.source }
    return effects
  }
}
