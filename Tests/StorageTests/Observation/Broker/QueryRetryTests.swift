@testable import Storage
import Testing

@Suite struct QueryRetryTests {
  @Test func `P8: failing queries are retried less and less often`() {
    var now: UInt64 = 5
    var retry: QueryRetry?
    var delays: [UInt64] = []
    for _ in 0..<9 {
      let next = QueryRetry(after: retry, at: now)
      delays.append((next.time - now) / 1_000_000_000)
      // A commit may run the query before its retry time. If the query fails then, its retry time
      // does not change.
      #expect(QueryRetry(after: next, at: now).time == next.time)
      retry = next
      now = next.time
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64, 64])
  }
}
