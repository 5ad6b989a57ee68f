@testable import Storage
import Testing

@Suite struct EventBurstTests {
  /// Notes an event, and returns its properties as text.
  private func note(
    _ burst: inout EventBurst,
    _ ownCommits: UInt64,
    isLoss: Bool = false
  ) -> String {
    let (mustHandle, isExplained) = burst.note(ownCommits: ownCommits, isLoss: isLoss)
    return (mustHandle ? "first" : "further") + (isExplained ? ", explained" : "")
  }

  @Test func `events until the first one is handled are one burst`() {
    var burst = EventBurst()
    #expect(note(&burst, 0) == "first")
    #expect(note(&burst, 0) == "further")
    burst.end()
    #expect(note(&burst, 0) == "first")
  }

  @Test func `an event is explained when this process has committed since the last one`() {
    var burst = EventBurst()
    #expect(note(&burst, 1) == "first, explained")
    #expect(note(&burst, 1) == "further")
    #expect(note(&burst, 3) == "further, explained")
    burst.end()
    #expect(note(&burst, 3) == "first")
    burst.end()
    #expect(note(&burst, 4) == "first, explained")
  }

  @Test func `a loss is handled also while another event waits`() {
    var burst = EventBurst()
    #expect(note(&burst, 1) == "first, explained")
    #expect(note(&burst, 1, isLoss: true) == "first")
    #expect(note(&burst, 1) == "further")
  }
}
