internal import Glibc

/// Reports when files of a directory are written, created, renamed or removed, and counts the
/// writes to single files.
///
/// The process has one inotify instance for all watches, because a user can have only 128
/// instances. When the kernel refuses a watch (too many watches, no inotify, no descriptor, no
/// thread), the watch is `nil`, and its owner polls and asks again.
///
/// The kernel makes an event of each write before the write returns: for a small commit of this
/// process, that is a tenth of its time. Once a handler has learned from an event that this process
/// writes, the next events would tell it nothing new, so the kernel reports no writes in that
/// directory until the process has paused.
package final class FileEvents: Sendable {
  /// The instance of the process.
  package static let shared = FileEvents()

  /// A watch of a directory, which ends when it is released.
  package final class Watch: Sendable {
    fileprivate let descriptor: Int32
    fileprivate let id: UInt64

    fileprivate init(descriptor: Int32, id: UInt64) {
      self.descriptor = descriptor
      self.id = id
    }

    deinit {
      FileEvents.shared.end(descriptor: descriptor, id: id)
    }
  }

  /// What a watch reports.
  package enum Event: Hashable, Sendable {
    /// The file with this name was written, created, renamed or removed.
    case file(String)
    /// The directory was deleted or moved, or events were lost: any file may have changed.
    case lost
    /// The kernel has reported no writes for some milliseconds, because this process wrote. Now it
    /// reports them again.
    case unreportedWrites
  }

  /// Where an event comes from, as its handler knows.
  package enum Origin: Sendable {
    /// The event is of no interest.
    case irrelevant
    /// This process has written since the last event. Other processes may have written too.
    case thisProcess
    /// Another process may have written. The next events are taken sooner.
    case unknown
  }

  /// Handles an event of a watch.
  package typealias Handler = @Sendable (Event) -> Origin

  // Guards the watches and the counts. Events are read under the lock, but handlers run outside it.
  private let state = Lock(FileWatches())
  // A forked child process shares the inotify instance with its parent, and must not use it.
  private let process = ProcessIdentity()

  private init() {}

  /// Makes the inotify instance when it is needed; it is missing when the kernel refuses.
  private func prepare(_ state: inout FileWatches) {
    guard state.inotify == nil else { return }
    if Fault.isOn(.inotifyOnce) {
      // The second instance is refused.
      if state.files[-1] != nil { return }
      state.files[-1] = (0, 0)
    }
    let inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else { return }
    // On a queue, each read of events would wake three threads.
    guard DetachedThread.start({ self.takeEvents(from: inotify) }) else {
      close(inotify)
      return
    }
    state.inotify = inotify
  }

  /// Starts to watch the directory at `path`.
  ///
  /// Handlers run on the thread of the events, or on a thread that calls ``writes(_:)``, also at
  /// the same time. They must not block.
  ///
  /// - Returns: The watch; `nil` when the kernel refuses it.
  package func watch(_ path: String, handler: @escaping Handler) -> Watch? {
    guard process.isCurrent else { return nil }
    // Under the lock, so that no other thread can remove this directory's descriptor meanwhile.
    return state.withLock { state -> Watch? in
      prepare(&state)
      return state.add(handler, at: path).map { Watch(descriptor: $0.descriptor, id: $0.id) }
    }
  }

  private func end(descriptor: Int32, id: UInt64) {
    guard process.isCurrent else { return }
    // The removed handler is released outside the lock, because its captures may have a `deinit`.
    let handler = state.withLock { $0.remove(id, of: descriptor) }
    withExtendedLifetime(handler) {}
  }

  // MARK: Files

  /// Starts to count the writes to the file at `path`.
  ///
  /// - Returns: The descriptor for ``writes(_:)``; `nil` when the kernel refuses.
  func countWrites(toFile path: String) -> Int32? {
    guard process.isCurrent else { return nil }
    return state.withLock { state in
      prepare(&state)
      guard let inotify = state.inotify else { return nil }
      let descriptor = inotify_add_watch(inotify, path, UInt32(IN_MODIFY))
      guard descriptor >= 0 else { return nil }
      state.files[descriptor, default: (0, 0)].users += 1
      return descriptor
    }
  }

  /// Returns a number that changes whenever the file is written.
  func writes(_ descriptor: Int32) -> Int {
    guard process.isCurrent else { return 0 }
    // The thread may not have read all events yet: read the events that wait in the kernel.
    _ = readEvents()
    return state.withLock { $0.files[descriptor]?.writes ?? 0 }
  }

  /// Ends one count of the writes to a file.
  func endCounting(_ descriptor: Int32) {
    guard process.isCurrent else { return }
    state.withLock { state in
      state.files[descriptor]?.users -= 1
      guard state.files[descriptor]?.users == 0, let inotify = state.inotify else { return }
      state.files[descriptor] = nil
      inotify_rm_watch(inotify, descriptor)
    }
  }

  // MARK: Events

  /// The pause between events and the next read of events, in microseconds. The kernel merges equal
  /// events meanwhile; without the pause, each of a thousand writes would wake the process.
  private static let pause: UInt32 = 1_000

  /// The pause after events without news, such as the process's own writes. With only one
  /// millisecond, these wake-ups doubled the measured time from a commit to its callback.
  private static let longPause: UInt32 = 10_000

  /// What handlers have returned.
  private struct Findings {
    /// Whether another process may have written.
    var hasNews = false
    /// The directories in which this process has written.
    var ownDirectories: Set<Int32> = []

    mutating func add(_ others: Findings) {
      hasNews = hasNews || others.hasNews
      ownDirectories.formUnion(others.ownDirectories)
    }
  }

  /// Takes events as long as the process lives.
  private func takeEvents(from inotify: Int32) {
    var descriptor = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
    // The directories whose writes are not reported during the pause.
    var quiet: Set<Int32> = []
    while true {
      if quiet.isEmpty { _ = poll(&descriptor, 1, -1) }
      // The reports begin before their handlers look, so that no write is between both.
      var findings = perform(state.withLock { $0.reportWrites(in: quiet) })
      findings.add(readEvents())
      quiet = findings.hasNews ? [] : endReportsOfWrites(in: findings.ownDirectories)
      CurrentThread.pause(microseconds: findings.hasNews ? Self.pause : Self.longPause)
    }
  }

  private func endReportsOfWrites(in descriptors: Set<Int32>) -> Set<Int32> {
    guard !descriptors.isEmpty else { return [] }
    let (quiet, calls) = state.withLock { $0.endReportsOfWrites(in: descriptors) }
    _ = perform(calls)
    return quiet
  }

  /// Reads the waiting events, counts writes to files, and calls the handlers of directories.
  private func readEvents() -> Findings {
    guard process.isCurrent else { return Findings() }
    return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var findings = Findings()
      while true {
        let calls = state.withLock { state -> [FileWatches.Call]? in
          guard let inotify = state.inotify else { return nil }
          let count = read(inotify, buffer.baseAddress!, buffer.count)
          guard count > 0 else { return nil }
          return state.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard let calls else { return findings }
        findings.add(perform(calls))
      }
    }
  }

  private func perform(_ calls: [FileWatches.Call]) -> Findings {
    var findings = Findings()
    for call in calls {
      for handler in call.handlers {
        switch handler(call.event) {
        case .irrelevant: break
        case .thisProcess: findings.ownDirectories.insert(call.descriptor)
        case .unknown: findings.hasNews = true
        }
      }
    }
    return findings
  }
}
