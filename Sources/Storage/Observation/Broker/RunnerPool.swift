internal import Dispatch
internal import WellspringPlatform

/// The threads that run queries, one batch at a time. Idle threads are kept for the next batch.
final class RunnerPool: Sendable {
  private let label: String
  // Guards the idle threads.
  private let idle = Lock<[DispatchQueue]>([])

  init(label: String) {
    self.label = label
  }

  func take() -> DispatchQueue {
    idle.withLock { $0.popLast() } ?? DispatchQueue(label: label)
  }

  func giveBack(_ runner: DispatchQueue) {
    idle.withLock { $0.append(runner) }
  }
}
