internal import Glibc

/// The watches of one inotify instance: whom its events concern, and what the kernel reports.
struct FileWatches {
  /// A watched directory.
  struct Directory {
    /// Where the kernel has found it last.
    var path: String
    var handlers: [UInt64: FileEvents.Handler] = [:]
  }

  /// The handlers of a directory, to call with an event.
  struct Call {
    let descriptor: Int32
    let handlers: [FileEvents.Handler]
    let event: FileEvents.Event
  }

  /// The inotify instance; `nil` until the kernel has given one.
  var inotify: Int32?
  var nextID: UInt64 = 0
  /// The directories by watch descriptor. All watches of one directory have the same descriptor.
  var directories: [Int32: Directory] = [:]
  /// The files whose writes are counted, by watch descriptor.
  var files: [Int32: (writes: Int, users: Int)] = [:]

  private static let changesOfNames: UInt32 = [
    IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE_SELF, IN_MOVE_SELF, IN_ATTRIB,
    IN_ONLYDIR,
  ].reduce(0) { $0 | UInt32($1) }
  private static let allChanges = changesOfNames | UInt32(IN_MODIFY)

  // MARK: Directories

  /// Watches the directory at `path`.
  ///
  /// - Returns: The descriptor and the number of the handler; `nil` when the kernel refuses.
  mutating func add(
    _ handler: @escaping FileEvents.Handler,
    at path: String
  ) -> (descriptor: Int32, id: UInt64)? {
    guard let inotify else { return nil }
    let descriptor = inotify_add_watch(inotify, path, Self.allChanges)
    guard descriptor >= 0 else { return nil }
    defer { nextID += 1 }
    directories[descriptor, default: Directory(path: path)].path = path
    directories[descriptor]?.handlers[nextID] = handler
    return (descriptor, nextID)
  }

  /// Removes a handler, and ends the watch of a directory without handlers.
  ///
  /// - Returns: The handler.
  mutating func remove(_ id: UInt64, of descriptor: Int32) -> FileEvents.Handler? {
    let handler = directories[descriptor]?.handlers.removeValue(forKey: id)
    if directories[descriptor]?.handlers.isEmpty == true, let inotify {
      directories[descriptor] = nil
      inotify_rm_watch(inotify, descriptor)
    }
    return handler
  }

  private func calls(of descriptor: Int32, _ event: FileEvents.Event) -> [Call] {
    guard let directory = directories[descriptor] else { return [] }
    let handlers = Array(directory.handlers.values)
    return [Call(descriptor: descriptor, handlers: handlers, event: event)]
  }

  /// The calls that tell all handlers that any file may have changed.
  private var callsAfterLoss: [Call] { directories.keys.flatMap { calls(of: $0, .lost) } }

  // MARK: Reports of writes

  /// Ends the reports of writes in directories, until ``reportWrites(in:)``.
  ///
  /// A directory with several handlers is left out: it may have many databases, and each of them
  /// would have to look for foreign commits when the reports begin again.
  ///
  /// - Returns: The directories whose writes are not reported now, and the calls to perform.
  func endReportsOfWrites(in descriptors: Set<Int32>) -> (quiet: Set<Int32>, calls: [Call]) {
    var quiet: Set<Int32> = []
    for descriptor in descriptors where directories[descriptor]?.handlers.count == 1 {
      switch report(Self.changesOfNames, of: descriptor) {
      case .done: quiet.insert(descriptor)
      case .refused: break
      case .misled: return (quiet, callsAfterLoss)
      }
    }
    return (quiet, [])
  }

  /// Begins to report writes in directories again.
  ///
  /// - Returns: The calls to perform.
  func reportWrites(in descriptors: Set<Int32>) -> [Call] {
    var found: [Call] = []
    var isMisled = false
    for descriptor in descriptors {
      switch report(Self.allChanges, of: descriptor) {
      case .done: found += calls(of: descriptor, .unreportedWrites)
      // Its handlers watch again.
      case .refused: found += calls(of: descriptor, .lost)
      case .misled: isMisled = true
      }
    }
    return isMisled ? callsAfterLoss : found
  }

  private enum Outcome {
    case done
    /// The kernel has changed nothing.
    case refused
    /// The path leads to another directory now. If that one is watched, events of it may be lost.
    case misled
  }

  /// Sets which changes the kernel reports of a directory.
  private func report(_ changes: UInt32, of descriptor: Int32) -> Outcome {
    guard let inotify, let path = directories[descriptor]?.path else { return .refused }
    let found = inotify_add_watch(inotify, path, changes)
    if found == descriptor { return .done }
    guard found >= 0 else { return .refused }
    if directories[found] == nil {
      inotify_rm_watch(inotify, found)
    } else {
      inotify_add_watch(inotify, path, Self.allChanges)
    }
    return .misled
  }

  // MARK: Events

  /// Counts the writes among events, as the kernel gives them.
  ///
  /// - Returns: The calls to perform.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Call] {
    var found: [Call] = []
    let headerSize = MemoryLayout<inotify_event>.size
    var offset = 0
    // Consecutive events of one file are reported once.
    var last: (descriptor: Int32, event: FileEvents.Event)?
    while offset + headerSize <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let nameBytes = bytes[(offset + headerSize)..<(offset + headerSize + Int(event.len))]
      offset += headerSize + Int(event.len)

      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        for descriptor in files.keys { files[descriptor]?.writes += 1 }
        found += callsAfterLoss
        continue
      }
      files[event.wd]?.writes += 1
      guard directories[event.wd] != nil else { continue }
      let name = String(decoding: nameBytes.prefix { $0 != 0 }, as: UTF8.self)
      let report = event.len == 0 ? FileEvents.Event.lost : .file(name)
      if let last, last.descriptor == event.wd, last.event == report { continue }
      last = (event.wd, report)
      found += calls(of: event.wd, report)
    }
    return found
  }
}
