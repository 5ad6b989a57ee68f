import Testing

/// Waits until a condition holds, which no event reports.
func eventually(_ condition: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(120)
  while !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("the condition does not come true")
      return
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}
