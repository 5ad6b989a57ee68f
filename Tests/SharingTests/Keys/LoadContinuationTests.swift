import Sharing
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct LoadContinuationTests {
  @Test func `A-129: a leaked continuation is an error that names its key`() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    key.state.withLock { $0.continuations.removeAll() }
    #expect(value == 1)
    #expect($value.loadError as? LeakedContinuation == LeakedContinuation(key: "ManualKey"))
    #expect("\($value.loadError!)".contains("ManualKey has released its continuation"))

    let load = Task { [reader = $value] in try await reader.load() }
    _ = try await key.nextContinuation()
    await #expect(throws: LeakedContinuation.self) { try await load.value }
  }

  @Test func `A-129: resuming a continuation twice stops debug builds`() async {
    await #expect(processExitsWith: .failure) {
      let continuation = LoadContinuation<Int>("a key") { _ in }
      continuation.resume(returning: 1)
      continuation.resume(returning: 2)
    }
  }
}
