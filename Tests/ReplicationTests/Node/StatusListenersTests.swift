import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

@Suite(.patient) struct StatusListenersTests {
  private static func status(_ reconnects: Int) -> ReplicationStatus {
    ReplicationStatus(
      role: .replica,
      epoch: 1,
      applied: .start,
      isConnected: true,
      reconnects: reconnects,
      outbox: 0
    )
  }

  @Test func `P10: loops that are cancelled while the status changes do not stop the node`()
    async throws
  {
    let listeners = StatusListeners()
    let number = Lock(0)
    let isOver = Lock(false)
    let threads = (0..<2).map { _ in
      OwnThread.run {
        while !isOver.withLock({ $0 }) {
          number.withLock { $0 += 1 }
          listeners.notify { Self.status(number.withLock { $0 }) }
        }
      }
    }
    for _ in 0..<Soak.size(50_000, inSuite: 2_000) {
      let stream = listeners.stream { Self.status(number.withLock { $0 }) }
      let loop = Task { for await status in stream where status.reconnects < 0 { break } }
      await Task.yield()
      loop.cancel()
      await loop.value
    }
    isOver.withLock { $0 = true }
    for thread in threads { try await thread.value }
  }

  @Test func `several threads give a loop no value after a newer one, and the last one`()
    async throws
  {
    let listeners = StatusListeners()
    let number = Lock(0)
    let count = 20_000
    let stream = listeners.stream { Self.status(0) }
    let loop = Task {
      var last = -1
      for await status in stream {
        #expect(status.reconnects > last)
        last = status.reconnects
        if last == count { break }
      }
      return last
    }
    let threads = (0..<3).map { _ in
      OwnThread.run {
        while number.withLock({ $0 }) < count {
          number.withLock { $0 = min($0 + 1, count) }
          listeners.notify { Self.status(number.withLock { $0 }) }
        }
      }
    }
    for thread in threads { try await thread.value }
    #expect(await loop.value == count)
    listeners.end()
  }
}
