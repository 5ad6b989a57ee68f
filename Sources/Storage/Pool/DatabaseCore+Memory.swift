extension DatabaseCore {
  /// Gives back memory, after the accesses that run.
  func releaseMemory() {
    // A closed database holds none.
    try? writers?.access(.write) { $0.releaseMemory() }
    guard isPool else { return }
    readers.withBarrier { _ in }
    releaseReaders()
  }

  func releaseMemoryEventually() {
    if let writers {
      writers.submit(.write) {
        $0.releaseMemory()
      } completion: { _ in
      }
    }
    // Readers that are in use will be idle the next time.
    if isPool { releaseReaders() }
  }

  private func releaseReaders() {
    if configuration.persistentReadOnlyConnections {
      readers.forEachIdle { $0.releaseMemory() }
    } else {
      readers.closeIdle()
    }
  }
}
