package import Testing

/// Waits until a condition holds, which no event reports.
package func eventually(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async throws {
  let deadline = ContinuousClock.now + Patience.limit
  while !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("the condition does not come true", sourceLocation: sourceLocation)
      return
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}
