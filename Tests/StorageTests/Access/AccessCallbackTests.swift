import Testing
import WellspringSystem

@testable import Storage

@Suite struct AccessCallbackTests {
  private struct Late: Error {}

  @Test(arguments: [(true, true, "db"), (true, false, "db"), (false, true, "Late()")])
  func `the closure is called once`(isCalled: Bool, hasFailed: Bool, expected: String) throws {
    let calls = Lock([String]())
    let callback = AccessCallback { result in
      switch result {
      case .success: calls.withLock { $0.append("db") }
      case .failure(let error): calls.withLock { $0.append("\(error)") }
      }
    }
    try DatabaseQueue().read { db in if isCalled { callback.call(db) } }
    if hasFailed { callback.fail(Late()) }
    #expect(calls.withLock { $0 } == [expected])
  }
}
