internal import Glibc

/// Reports when files of a directory are written, created, renamed or removed, and counts the
/// writes to single files.
///
/// The process has one inotify instance for all watches, because a user can have only 128
/// instances. When the kernel refuses a watch (too many watches, no inotify, no descriptor, no
/// thread), the watch is `nil`, and its owner polls and asks again.
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

  /// Handles an event of a watch.
  ///
  /// `name` is the name of the file. It is `nil` when the directory was deleted or moved, or when
  /// events were lost, so that any file may have changed. The handler returns whether the event is
  /// news, which makes the process take the next events sooner.
  package typealias Handler = @Sendable (_ name: String?) -> Bool

  private static let mask: UInt32 = [
    IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE_SELF, IN_MOVE_SELF,
    IN_ATTRIB, IN_ONLYDIR,
  ].reduce(0) { $0 | UInt32($1) }

  private struct State {
    /// The inotify instance; `nil` until the kernel has given one.
    var inotify: Int32?
    var nextID: UInt64 = 0
    /// The handlers by watch descriptor. All watches of one directory have the same descriptor.
    var handlers: [Int32: [UInt64: Handler]] = [:]
    /// The files whose writes are counted, by watch descriptor.
    var files: [Int32: (writes: Int, users: Int)] = [:]
  }

  /// Handlers to call, and the name for them.
  private typealias Call = (handlers: [Handler], name: String?)

  // Guards the watches and the counts. Events are read under the lock, but handlers run outside it.
  private let state = Lock(State())
  // A forked child process shares the inotify instance with its parent, and must not use it.
  private let process = ProcessIdentity()

  private init() {}

  /// Returns the inotify instance, which is made when it is needed; `nil` when the kernel refuses.
  private func instance(_ state: inout State) -> Int32? {
    if let inotify = state.inotify { return inotify }
    if Fault.isOn(.inotifyOnce) {
      // The second instance is refused.
      if state.files[-1] != nil { return nil }
      state.files[-1] = (0, 0)
    }
    let inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else { return nil }
    // On a queue, each read of events would wake three threads.
    guard DetachedThread.start({ self.takeEvents(from: inotify) }) else {
      close(inotify)
      return nil
    }
    state.inotify = inotify
    return inotify
  }

  /// Starts to watch the directory at `path`.
  ///
  /// Handlers run on the thread of the events, or on a thread that calls ``writes(_:)``, also at
  /// the same time. They must not block.
  ///
  /// - Returns: The watch; `nil` when the kernel refuses it.
  package func watch(_ path: String, handler: @escaping Handler) -> Watch? {
    guard process.isCurrent else { return nil }
    let mask = Self.mask
    // Under the lock, so that no other thread can remove this directory's descriptor meanwhile.
    return state.withLock { state -> Watch? in
      guard let inotify = instance(&state) else { return nil }
      let descriptor = inotify_add_watch(inotify, path, mask)
      guard descriptor >= 0 else { return nil }
      let id = state.nextID
      state.nextID += 1
      state.handlers[descriptor, default: [:]][id] = handler
      return Watch(descriptor: descriptor, id: id)
    }
  }

  private func end(descriptor: Int32, id: UInt64) {
    guard process.isCurrent else { return }
    // The removed handler is released outside the lock, because its captures may have a `deinit`.
    let handler = state.withLock { state -> Handler? in
      let handler = state.handlers[descriptor]?.removeValue(forKey: id)
      if state.handlers[descriptor]?.isEmpty == true, let inotify = state.inotify {
        state.handlers[descriptor] = nil
        inotify_rm_watch(inotify, descriptor)
      }
      return handler
    }
    withExtendedLifetime(handler) {}
  }

  // MARK: Files

  /// Starts to count the writes to the file at `path`.
  ///
  /// - Returns: The descriptor for ``writes(_:)``; `nil` when the kernel refuses.
  func countWrites(toFile path: String) -> Int32? {
    guard process.isCurrent else { return nil }
    return state.withLock { state in
      guard let inotify = instance(&state) else { return nil }
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

  /// Takes events as long as the process lives.
  private func takeEvents(from inotify: Int32) {
    var descriptor = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
    while true {
      _ = poll(&descriptor, 1, -1)
      let hasNews = readEvents()
      CurrentThread.pause(microseconds: hasNews ? Self.pause : Self.longPause)
    }
  }

  /// Reads the waiting events, counts writes to files, and calls the handlers of directories.
  ///
  /// - Returns: Whether a handler returned that an event is news.
  private func readEvents() -> Bool {
    guard process.isCurrent else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var hasNews = false
      while true {
        let calls = state.withLock { state -> [Call]? in
          guard let inotify = state.inotify else { return nil }
          let count = read(inotify, buffer.baseAddress!, buffer.count)
          guard count > 0 else { return nil }
          return take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &state)
        }
        guard let calls else { return hasNews }
        for call in calls {
          for handler in call.handlers where handler(call.name) { hasNews = true }
        }
      }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> [Call] {
    var calls: [Call] = []
    let headerSize = MemoryLayout<inotify_event>.size
    var offset = 0
    // Consecutive events of one file are reported once.
    var last: (descriptor: Int32, name: String?)?
    while offset + headerSize <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let nameBytes = bytes[(offset + headerSize)..<(offset + headerSize + Int(event.len))]
      offset += headerSize + Int(event.len)

      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        for descriptor in state.files.keys { state.files[descriptor]?.writes += 1 }
        calls.append((state.handlers.values.flatMap(\.values), nil))
        continue
      }
      state.files[event.wd]?.writes += 1
      guard let handlers = state.handlers[event.wd] else { continue }
      let name =
        event.len == 0 ? nil : String(decoding: nameBytes.prefix { $0 != 0 }, as: UTF8.self)
      if let last, last.descriptor == event.wd, last.name == name { continue }
      last = (event.wd, name)
      calls.append((Array(handlers.values), name))
    }
    return calls
  }
}
