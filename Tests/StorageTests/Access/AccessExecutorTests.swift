import Dispatch
import Foundation
import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// The task state that an asynchronous access carries into its closure.
@Suite struct AccessExecutorTests {
  enum Trace {
    @TaskLocal static var id = 0
  }

  /// The parts of its task that a closure sees.
  struct Sight: Sendable {
    var id: Int
    var priority: TaskPriority?

    static var current: Sight {
      // A thread without a task has no priority.
      let priority = withUnsafeCurrentTask { $0?.priority }
      return Sight(id: Trace.id, priority: priority)
    }
  }

  /// An entry point that runs a closure asynchronously, and waits for it.
  enum Entry: String, CaseIterable {
    case read, unsafeRead, write, writeWithoutTransaction, barrier, snapshot, anyReader, anyWriter
    case migration
    case asyncRead, asyncUnsafeRead, asyncWrite, asyncWriteWithoutTransaction, asyncBarrier
    case concurrentRead

    /// Whether the closure is a part of the calling task, which waits for it.
    var isAwaited: Bool {
      switch self {
      case .asyncRead, .asyncUnsafeRead, .asyncWrite, .asyncWriteWithoutTransaction, .asyncBarrier,
        .concurrentRead:
        false
      default: true
      }
    }

    func run(
      _ writer: any DatabaseWriter,
      _ body: @escaping @Sendable () throws -> Void
    ) async throws {
      switch self {
      case .read: try await writer.read { _ in try body() }
      case .unsafeRead: try await writer.unsafeRead { _ in try body() }
      case .write: try await writer.write { _ in try body() }
      case .writeWithoutTransaction: try await writer.writeWithoutTransaction { _ in try body() }
      case .barrier: try await writer.barrierWriteWithoutTransaction { _ in try body() }
      case .snapshot:
        if let pool = writer as? DatabasePool {
          try await pool.makeSnapshot().read { _ in try body() }
        } else {
          try await writer.read { _ in try body() }
        }
      case .anyReader: try await AnyDatabaseReader(writer).read { _ in try body() }
      case .anyWriter: try await AnyDatabaseWriter(writer).write { _ in try body() }
      case .migration:
        var migrator = DatabaseMigrator()
        migrator.registerMigration("once") { _ in try body() }
        try await migrator.migrate(writer)
      case .asyncRead: try await called { end in writer.asyncRead { _ in end(body) } }
      case .asyncUnsafeRead: try await called { end in writer.asyncUnsafeRead { _ in end(body) } }
      case .asyncWrite:
        try await called { end in
          writer.asyncWrite { _ in
          } completion: { _, _ in
            end(body)
          }
        }
      case .asyncWriteWithoutTransaction:
        try await called { end in
          writer.asyncWriteWithoutTransaction { (_: Result<Database, any Error>) in end(body) }
        }
      case .asyncBarrier:
        try await called { end in writer.asyncBarrierWriteWithoutTransaction { _ in end(body) } }
      case .concurrentRead:
        try await called { end in
          Task {
            try await writer.writeWithoutTransaction { _ in
              writer.spawnConcurrentRead { _ in end(body) }
            }
          }
        }
      }
    }

    private func called(
      _ start: (@escaping @Sendable (@Sendable () throws -> Void) -> Void) -> Void
    ) async throws {
      try await withCheckedThrowingContinuation { (result: CheckedContinuation<Void, any Error>) in
        start { body in result.resume(with: Result { try body() }) }
      }
    }
  }

  @Test(.patient, arguments: Entry.allCases, [true, false])
  func `a closure sees the local values and the priority of its task`(
    entry: Entry,
    isPool: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let writer: any DatabaseWriter =
      isPool
      ? try DatabasePool(path: directory.file())
      : try DatabaseQueue(path: directory.file())
    for (id, priority) in [(7, TaskPriority.background), (8, .high)] {
      let task = Task.detached(priority: priority) {
        try await Trace.$id.withValue(id) {
          let sights = Recorder<Sight>()
          try await entry.run(writer) { sights.append(.current) }
          // A migration runs once.
          if entry == .migration, id == 8 { return }
          let sight = try await sights.nextValue()
          #expect(sight.id == id)
          // A task that is waited for may have been raised.
          #expect(sight.priority.map { $0 >= priority } == true)
        }
      }
      try await task.value
    }
  }

  @Test(.patient, arguments: Entry.allCases.filter(\.isAwaited), [true, false])
  func `a loop in a closure sees that its task is cancelled`(
    entry: Entry,
    isPool: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let writer: any DatabaseWriter =
      isPool
      ? try DatabasePool(path: directory.file())
      : try DatabaseQueue(path: directory.file())
    let began = Recorder<Bool>()
    let task = Task {
      try await entry.run(writer) {
        began.append(Task.isCancelled)
        while true { try Task.checkCancellation() }
      }
    }
    #expect(try await began.nextValue() == false)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The next access is not affected.
    #expect(try await writer.write { _ in Task.isCancelled } == false)
  }

  @Test(.patient) func `an access that waits begins while all threads of Swift are blocked`()
    async throws
  {
    let shop = try Shop()
    let (hasBegun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = OwnThread.run {
      try shop.pool.write { _ in
        hasBegun.signal()
        gate.wait()
      }
    }
    await waitWithoutBlocking(for: hasBegun)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try await Trace.$id.withValue(5) {
            let id = try await shop.pool.write { _ in Trace.id }
            #expect(id == 5)
          }
        }
      }
      // More tasks than threads block in sync writes.
      let threads = ProcessInfo.processInfo.activeProcessorCount
      let blocked = DispatchSemaphore(value: 0)
      let opener = OwnThread.run {
        for _ in 0..<threads { blocked.wait() }
        gate.signal()
      }
      for _ in 0..<threads + 4 {
        group.addTask {
          blocked.signal()
          func writeSync() throws { try shop.pool.write { _ in } }
          try writeSync()
        }
      }
      try await group.waitForAll()
      try await opener.value
    }
    try await holder.value
  }

  @Test(.patient) func `asynchronous writes run in the order of the calls`() async throws {
    let shop = try Shop()
    let numbers = Recorder<Int>()
    for number in 0..<200 {
      shop.pool.asyncWrite { _ in
        number
      } completion: { _, result in
        numbers.append((try? result.get()) ?? -1)
      }
    }
    for number in 0..<200 { #expect(try await numbers.nextValue() == number) }
  }

  @Test(.patient) func `a closed or cancelled access throws its error`() async throws {
    let shop = try Shop()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await shop.pool.write { _ in Issue.record("it was cancelled before") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try shop.pool.close()
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await shop.pool.read { _ in 1 }
    }
    #expect(error?.isDatabaseClosed == true)
  }
}
