/// Waits until a condition holds.
///
/// - Throws: `CancellationError` when the time limit of the test ends it first.
func waitUntil(_ condition: () -> Bool) async throws {
  while !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
