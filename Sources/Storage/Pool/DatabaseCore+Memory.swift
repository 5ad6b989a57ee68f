extension DatabaseCore {
  /// Releases memory once the running accesses have ended.
  func releaseMemory() {
    guard !isUsedByCurrentThread else {
      // The access cannot wait for its own end.
      return releaseMemoryEventually()
    }
    // A closed database holds no memory to release.
    try? writers?.access(.write) { $0.releaseMemory() }
    guard isPool else { return }
    readers.withBarrier { _ in }
    releaseReaders()
  }

  /// Releases memory on another thread.
  func releaseMemoryEventually() {
    if let writers {
      writers.submit(.write) {
        $0.releaseMemory()
      } completion: { _ in
      }
    }
    // Readers in use keep their memory until the next call.
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
