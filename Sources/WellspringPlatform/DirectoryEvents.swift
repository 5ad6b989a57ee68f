internal import Dispatch
internal import Glibc

/// Tells when files of a directory are written, created, renamed or removed.
///
/// The process has one inotify instance, because a user has 128 of them; every watch shares it.
/// Where the kernel refuses (too many watches, no inotify), a watch is `nil` and its owner polls.
package final class DirectoryEvents: @unchecked Sendable {
  // Safe to share: the dispatch source is set once and never touched again; the rest is Sendable.
  /// The instance of the process.
  package static let shared = DirectoryEvents()

  /// A running watch. It ends when it is released.
  package final class Watch: Sendable {
    fileprivate let descriptor: Int32
    fileprivate let id: UInt64

    fileprivate init(descriptor: Int32, id: UInt64) {
      self.descriptor = descriptor
      self.id = id
    }

    deinit {
      DirectoryEvents.shared.end(descriptor: descriptor, id: id)
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
  }

  // Guards the table of handlers. Handlers run outside of it.
  private let state = Lock(State())
  private let inotify: Int32
  private let queue = DispatchQueue(label: "wellspring.directory-events")
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
    guard inotify >= 0 else { return nil }
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

  private func readEvents() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var hasNews = false
      while true {
        let count = read(inotify, buffer.baseAddress!, buffer.count)
        guard count > 0 else { return hasNews }
        if dispatchEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hasNews = true }
      }
    }
  }

  private func dispatchEvents(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var hasNews = false
    let headerSize = MemoryLayout<inotify_event>.size
    var offset = 0
    // A burst of writes to one file is one piece of news.
    var last: (descriptor: Int32, name: String?)?
    while offset + headerSize <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let nameBytes = bytes[(offset + headerSize)..<(offset + headerSize + Int(event.len))]
      offset += headerSize + Int(event.len)

      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        let handlers = state.withLock { state in state.handlers.values.flatMap { Array($0.values) }
        }
        for handler in handlers { _ = handler(nil) }
        hasNews = true
        continue
      }
      let name =
        event.len == 0 ? nil : String(decoding: nameBytes.prefix { $0 != 0 }, as: UTF8.self)
      if let last, last.descriptor == event.wd, last.name == name { continue }
      last = (event.wd, name)
      let handlers = state.withLock { state in
        state.handlers[event.wd].map { Array($0.values) } ?? []
      }
      for handler in handlers where handler(name) { hasNews = true }
    }
    return hasNews
  }
}
