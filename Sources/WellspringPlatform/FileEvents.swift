internal import Dispatch
internal import Glibc

/// Tells when files of a directory are written, created, renamed or removed, and counts the writes to a
/// file.
///
/// The process has one inotify instance, because a user has 128 of them; every watch shares it.
/// Where the kernel refuses (too many watches, no inotify), a watch is `nil` and its owner polls.
package final class FileEvents: @unchecked Sendable {
  // Safe to share: the dispatch source is set once and never touched again; the rest is Sendable.
  /// The instance of the process.
  package static let shared = FileEvents()

  /// A running watch of a directory. It ends when it is released.
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

  /// What a watch is told. `name` is the file's name, or `nil` when the directory itself went away
  /// or events were lost, so that anything may have happened. It returns whether the event is news:
  /// whether it is worth waking the process for the next one soon.
  package typealias Handler = @Sendable (_ name: String?) -> Bool

  private static let mask: UInt32 = [
    IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE_SELF, IN_MOVE_SELF,
    IN_ATTRIB, IN_ONLYDIR,
  ].reduce(0) { $0 | UInt32($1) }

  private struct State {
    var nextID: UInt64 = 0
    /// By watch descriptor: the kernel gives one descriptor to all watches of one directory.
    var handlers: [Int32: [UInt64: Handler]] = [:]
    /// By watch descriptor: the files whose writes are counted, by how many.
    var files: [Int32: (writes: Int, users: Int)] = [:]
  }

  /// Handlers that are to be called, with the name that they are told.
  private typealias Call = (handlers: [Handler], name: String?)

  // Guards the watches, and the reading of events, which counts them. Handlers run outside of it.
  private let state = Lock(State())
  private let inotify: Int32
  // A child process shares the instance with its parent, whose watches and events it must leave alone.
  private let process = ProcessIdentity()
  private let queue = DispatchQueue(label: "wellspring.file-events")
  private let source: (any DispatchSourceRead)?

  private init() {
    inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else {
      source = nil
      return
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: inotify, queue: queue)
    self.source = source
    source.setEventHandler { [weak self] in self?.drain() }
    source.activate()
  }

  /// Begins to watch the directory at `path`.
  ///
  /// The handler runs on a queue of the process that serves all watches: it must not block.
  package func watch(_ path: String, handler: @escaping Handler) -> Watch? {
    guard inotify >= 0, process.isCurrent else { return nil }
    let mask = Self.mask
    // Under the lock, so that the end of another watch of this directory cannot come between.
    return state.withLock { state -> Watch? in
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
    // The removed handler is released outside of the lock: its captures may have a `deinit`.
    let handler = state.withLock { state -> Handler? in
      let handler = state.handlers[descriptor]?.removeValue(forKey: id)
      if state.handlers[descriptor]?.isEmpty == true {
        state.handlers[descriptor] = nil
        inotify_rm_watch(inotify, descriptor)
      }
      return handler
    }
    withExtendedLifetime(handler) {}
  }

  // MARK: Files

  /// Begins to count the writes to the file at `path`.
  ///
  /// - Returns: By what they are asked for; `nil` when the kernel refuses.
  func countWrites(toFile path: String) -> Int32? {
    guard inotify >= 0, process.isCurrent else { return nil }
    return state.withLock { state in
      let descriptor = inotify_add_watch(inotify, path, UInt32(IN_MODIFY))
      guard descriptor >= 0 else { return nil }
      state.files[descriptor, default: (0, 0)].users += 1
      return descriptor
    }
  }

  /// A number that has changed when the file was written since it was asked for last.
  func writes(_ descriptor: Int32) -> Int {
    // The events that the queue has taken are counted; those that wait in the kernel are taken here.
    _ = readEvents()
    return state.withLock { $0.files[descriptor]?.writes ?? 0 }
  }

  func endCounting(_ descriptor: Int32) {
    guard process.isCurrent else { return }
    state.withLock { state in
      state.files[descriptor]?.users -= 1
      guard state.files[descriptor]?.users == 0 else { return }
      state.files[descriptor] = nil
      inotify_rm_watch(inotify, descriptor)
    }
  }

  // MARK: Events

  /// How long the process waits after events before it takes the next ones. The kernel merges equal
  /// events meanwhile: without the pause, each of a thousand writes would wake the process.
  private static let pause = DispatchTimeInterval.milliseconds(1)

  /// The same when there was no news, as when the process sees its own writes. Measured with a pause of
  /// a millisecond, waking up for these doubled the time from a commit to its callback.
  private static let longPause = DispatchTimeInterval.milliseconds(10)

  private func drain() {
    let hasNews = readEvents()
    source?.suspend()
    queue.asyncAfter(deadline: .now() + (hasNews ? Self.pause : Self.longPause)) {
      self.source?.resume()
    }
  }

  /// Takes the events that wait, counts those of files, and tells the handlers of directories.
  ///
  /// - Returns: Whether there was news for them.
  private func readEvents() -> Bool {
    guard process.isCurrent else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var hasNews = false
      while true {
        let calls = state.withLock { state -> [Call]? in
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
    // A burst of writes to one file is one piece of news.
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
