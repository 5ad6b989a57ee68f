import Dispatch
import Storage
import Synchronization
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Closing a database while observed queries run.
@Suite struct ClosingTests {
  /// A query that a test can hold in the middle of a run.
  final class HeldQuery: Sendable {
    let isHeld = Atomic(false)
    let began = Recorder<Void>()
    let mayEnd = DispatchSemaphore(value: 0)

    var observation: ValueObservation<[Item]> {
      ValueObservation.tracking { db in
        let items = try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY id")
        if self.isHeld.load(ordering: .acquiring) {
          self.began.append(())
          self.mayEnd.wait()
        }
        return items
      }
    }

    /// Closes the pool while a run of the query is held. Lets the run continue when the recorder
    /// has got the end; the recorder observes another query.
    func close(_ shop: Shop, recorder: Recorder<[Item]>) async throws {
      let pool = shop.pool
      isHeld.store(true, ordering: .releasing)
      try await pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
      try await began.nextValue()
      let closed = Recorder<Void>()
      DispatchQueue.global().async {
        do {
          closed.append(try pool.close())
        } catch {
          closed.append(error: error)
        }
      }
      while true {
        guard case .error(let error) = try await recorder.next() else { continue }
        #expect((error as? DatabaseError)?.isDatabaseClosed == true)
        break
      }
      isHeld.store(false, ordering: .releasing)
      mayEnd.signal()
      try await closed.nextValue()
    }
  }

  @Test(.patient)
  func `a sequence ends although its query is running when the database is closed`() async throws {
    let shop = try Shop()
    let query = HeldQuery()
    var iterator = query.observation.values(in: shop.pool).makeAsyncIterator()
    #expect(try await iterator.next() == [.cup, .pot])
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await query.close(shop, recorder: recorder)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    cancellable.cancel()
  }

  @Test func `a refresh while the database is closed completes after the end of its observation`()
    async throws
  {
    /// Calls a closure before each call.
    struct Scheduler: ValueObservationScheduler {
      let isImmediate = false
      let queue = DispatchQueue(label: "callbacks")
      let willSchedule: @Sendable () -> Void

      func schedule(_ action: @escaping @Sendable () -> Void) {
        willSchedule()
        queue.async(execute: action)
      }
    }
    let shop = try Shop()
    let events = Recorder<String>()
    let mustAsk = Atomic(false)
    let observations = Lock<[AnyDatabaseCancellable]>([])
    // When the first observation is closed, the other one is refreshed, which has not got its end
    // by then.
    for other in [1, 0] {
      let scheduler = Scheduler {
        guard mustAsk.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let isAnswered = DispatchSemaphore(value: 0)
        observations.withLock { $0[other] }.refresh {
          events.append("answered")
          isAnswered.signal()
        }
        #expect(isAnswered.wait(timeout: .now() + Patience.seconds) == .success)
      }
      let values = Recorder<Int>()
      let cancellable = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
      }.start(in: shop.pool, scheduling: scheduler) { _ in
        events.append("closed")
      } onChange: {
        values.append($0)
      }
      observations.withLock { $0.append(cancellable) }
      #expect(try await values.nextValue() == 2)
    }
    mustAsk.store(true, ordering: .releasing)
    try shop.pool.close()
    for event in ["closed", "answered", "closed"] { #expect(try await events.nextValue() == event) }
    for observation in observations.withLock({ $0 }) { observation.cancel() }
  }

  @Test func `no value comes after the database is closed`() async throws {
    let shop = try Shop()
    let query = HeldQuery()
    let (recorder, cancellable) = query.observation.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await query.close(shop, recorder: recorder)
    // No event comes twice either: the next event is the event of an observation that begins now.
    let late = query.observation.start(
      in: shop.pool,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.isDatabaseClosed == true)
    late.cancel()
    cancellable.cancel()
  }
}
