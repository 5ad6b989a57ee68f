@testable import Storage
import Testing

@Suite struct AccessCancellationTests {
  @Test func `a cancellation that comes as the access begins is not lost`() throws {
    let db = try Database(path: ":memory:", configuration: Configuration(), role: .writer)
    let connection = Connection(db, label: "x")
    let cancellation = AccessCancellation()
    // The order in `ConnectionQueue.submit` when another thread serves the waiter at once.
    #expect(cancellation.begin(connection))
    _ = cancellation.wait(giveUp: {})
    cancellation.cancel()
    #expect(throws: CancellationError.self) { try cancellation.finish() }
    db.close()
  }
}
