internal import Dispatch
internal import Storage
internal import Synchronization

/// How long it takes until a thousand subscribers of one value have it.
enum SharedValue {
  private static let rowCount = 10_000
  private static let subscriberCount = 1000
  private static let writeCount = 10

  /// What all subscribers ask for.
  private struct SumRequest: ObservationRequest {
    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: Numbers.sum) ?? 0
    }
  }

  static let benchmarks = [
    Benchmark(
      .observe,
      "Write one row, until 1,000 callbacks have the sum of 10,000 (C: one such write and query)",
      pieces: writeCount,
      limit: 3,
      prepare: { try contest(in: $0, subscribe: startCallbacks) }
    ),
    Benchmark(
      .observe,
      "Write one row, until 1,000 loops have the sum of 10,000 (C: one such write and query)",
      pieces: writeCount,
      limit: 8,
      prepare: { try contest(in: $0, subscribe: startLoops) }
    ),
  ]

  private static func contest(
    in workspace: Workspace,
    subscribe: (DatabasePool, Roundup) -> any Sendable
  ) throws -> Contest {
    let create: (RawConnection) throws -> Void = {
      try $0.execute(Numbers.creation(count: rowCount))
    }
    let pool = try DatabasePool(benchmarking: workspace.makeDatabase("ours", fill: create))
    let connection = try RawConnection(path: workspace.makeDatabase("baseline", fill: create))
    let raising = try connection.prepare("UPDATE number SET value = value + 1 WHERE id = 0")
    let roundup = Roundup(subscriberCount)
    var sum = rowCount * (rowCount - 1) / 2
    roundup.expect(sum)
    let subscriptions = subscribe(pool, roundup)
    try roundup.wait()
    let ours = Side(
      setUp: pool.emptyWAL,
      work: {
        for _ in 0..<writeCount {
          sum += 1
          roundup.expect(sum)
          try pool.write { try $0.execute(sql: Numbers.raising, arguments: [0]) }
          try roundup.wait()
        }
        return withExtendedLifetime(subscriptions) { sum }
      },
      checksum: { $0 }
    )
    let baseline = Side(
      setUp: { try connection.execute(RawConnection.emptyingWAL) },
      work: {
        var sum = 0
        for _ in 0..<writeCount {
          try connection.run(raising)
          sum = try connection.integer(Numbers.sum)
        }
        return sum
      },
      checksum: { $0 }
    )
    return Contest(ours: ours, baseline: baseline)
  }

  private static func startCallbacks(_ pool: DatabasePool, _ roundup: Roundup) -> any Sendable {
    (0..<subscriberCount).map { _ in
      ValueObservation.tracking(SumRequest()).start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { roundup.note($0) }
      )
    }
  }

  private static func startLoops(_ pool: DatabasePool, _ roundup: Roundup) -> any Sendable {
    let tasks = (0..<subscriberCount).map { _ in
      Task.detached {
        for try await sum in ValueObservation.tracking(SumRequest()).values(in: pool) {
          roundup.note(sum)
        }
      }
    }
    return AnyDatabaseCancellable { for task in tasks { task.cancel() } }
  }
}

/// Waits until everyone has a value.
private final class Roundup: Sendable {
  private let awaited = Atomic(0)
  private let missing = Atomic(0)
  private let count: Int
  private let done = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    self.count = count
  }

  /// Says which value the next ``wait()`` is for. Called before the write that leads to it.
  func expect(_ value: Int) {
    missing.store(count, ordering: .relaxed)
    awaited.store(value, ordering: .releasing)
  }

  /// Called by each subscriber.
  func note(_ value: Int) {
    guard value == awaited.load(ordering: .acquiring) else { return }
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
  }

  /// Waits for the value.
  ///
  /// - Throws: ``Overdue`` after ten seconds.
  func wait() throws {
    guard done.wait(timeout: .now() + 10) == .success else {
      throw Overdue(what: "the value of \(missing.load(ordering: .relaxed)) subscribers")
    }
  }
}
