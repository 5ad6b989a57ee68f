internal import Glibc
internal import Synchronization

/// Queries which POSIX locks other processes hold on a file, without taking a lock, and reads the
/// file's bytes.
///
/// A probe needs a file descriptor. Closing one releases all locks that this process holds on the
/// file. So all probes of a file share one descriptor. When the last of them has ended, it stays
/// open until no other descriptor of this process leads to the file, or until the file has no name.
package final class FileProbe: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { Self.end(descriptor) }

  /// Returns whether another process holds a write lock on a byte of the range, or whether that is
  /// unknown.
  package func isWriteLocked(_ range: Range<Int>) -> Bool {
    var lock = flock()
    // A read lock conflicts with write locks only.
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(range.lowerBound)
    lock.l_len = off_t(range.count)
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }

  /// Returns the first bytes of the file, fewer than `count` if the file is shorter.
  package func prefix(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// Whether the file has no name any more.
  fileprivate var isUnlinked: Bool { Self.isUnlinked(descriptor) }
}

// MARK: - The descriptors of this process

extension FileProbe {
  private struct Entry {
    let descriptor: Int32
    let file: FileStatus.Identity
    /// The database to which the file belongs. A connection to it may open and lock the file at any
    /// moment.
    let database: FileStatus.Identity
    /// The number of probes.
    var users: Int
  }

  // Guards the descriptors of all probes.
  private static let entries = Lock<[Entry]>([])

  /// Returns a probe of the file at `path`, which belongs to a database; `nil` when the file cannot
  /// be read.
  fileprivate static func make(path: String, database: FileStatus.Identity) -> FileProbe? {
    guard let file = FileStatus(path: path)?.identity else { return nil }
    return entries.withLock { entries in
      if let known = entries.firstIndex(where: { $0.file == file }) {
        entries[known].users += 1
        return FileProbe(entries[known].descriptor)
      }
      // A FIFO must not block.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      // The file at the path may have been replaced meanwhile.
      let found = identity(descriptor) ?? file
      let isRight = found == file
      entries.append(
        Entry(
          descriptor: descriptor,
          file: found,
          database: isRight ? database : found,
          users: isRight ? 1 : 0
        )
      )
      return isRight ? FileProbe(descriptor) : nil
    }
  }

  private static func end(_ descriptor: Int32) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.descriptor == descriptor }) else { return }
      entries[index].users -= 1
    }
  }

  /// Closes the descriptors without a probe, unless that would release locks.
  fileprivate static func closeUnused() {
    entries.withLock { entries in
      guard entries.contains(where: { $0.users == 0 }) else { return }
      FileOpenings.whileNoneIsUnderWay {
        guard let open = openFiles(except: entries.map(\.descriptor)) else { return }
        entries.removeAll { entry in
          guard entry.users == 0 else { return false }
          let isOpen = open.contains(entry.file) || open.contains(entry.database)
          guard !isOpen || isUnlinked(entry.descriptor) else { return false }
          close(entry.descriptor)
          return true
        }
      }
    }
  }

  /// Returns the files to which descriptors of this process lead; `nil` if that is unknown.
  private static func openFiles(except own: [Int32]) -> Set<FileStatus.Identity>? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    var files: Set<FileStatus.Identity> = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let descriptor = Int32(name), !own.contains(descriptor),
        let identity = identity(descriptor)
      else { continue }
      files.insert(identity)
    }
    return files
  }

  private static func identity(_ descriptor: Int32) -> FileStatus.Identity? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return FileStatus.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  private static func isUnlinked(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }
}

/// The probes that one user needs, such as a pool.
package final class FileProbes: Sendable {
  private struct State {
    var probes: [FileStatus.Identity: FileProbe] = [:]
    var isClosed = false
  }

  // Guards the probes of one pool. They are made and released outside it.
  private let state = Lock(State())

  package init() {}

  deinit { close() }

  /// Returns the probe of a database.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - suffix: The text after the path in the name of the file: `-shm`, for example.
  /// - Returns: The probe; `nil` when the file cannot be read, or when the probes were closed.
  package func probe(_ path: String, suffix: String = "") -> FileProbe? {
    guard let file = FileStatus(path: path + suffix)?.identity else { return nil }
    let known = state.withLock { ($0.probes[file], $0.isClosed) }
    guard !known.1 else { return nil }
    if let probe = known.0 { return probe }
    let database = FileStatus(path: path)?.identity ?? file
    guard let probe = FileProbe.make(path: path + suffix, database: database) else { return nil }
    let released = state.withLock { state in
      var released = Array(state.probes.values.filter(\.isUnlinked))
      for (identity, probe) in state.probes where probe.isUnlinked { state.probes[identity] = nil }
      if let old = state.probes[file] { released.append(old) }
      if !state.isClosed { state.probes[file] = probe }
      return released
    }
    guard !released.isEmpty else { return probe }
    _ = consume released
    FileProbe.closeUnused()
    return probe
  }

  /// Closes the descriptors, unless the program has the files open in another way.
  package func close() {
    let released = state.withLock { state in
      state.isClosed = true
      defer { state.probes = [:] }
      return state.probes
    }
    // Each ends here, outside the lock.
    _ = consume released
    FileProbe.closeUnused()
  }

  /// Closes descriptors that had to stay open because the program had the files open.
  package static func closeUnused() { FileProbe.closeUnused() }
}

/// The openings of databases that are under way. Meanwhile, no descriptor is closed: the connection
/// could lose its first lock.
package enum FileOpenings {
  /// The number of openings under way; -1 while descriptors are closed.
  private static let count = Atomic(0)
  /// Whether descriptors could not be closed because of an opening.
  private static let isPending = Atomic(false)

  /// Runs a closure that opens a database.
  package static func opening<Result>(_ body: () throws -> Result) rethrows -> Result {
    while true {
      let known = count.load(ordering: .relaxed)
      if known >= 0,
        count.compareExchange(expected: known, desired: known + 1, ordering: .acquiring).exchanged
      {
        break
      }
      sched_yield()
    }
    defer {
      count.subtract(1, ordering: .sequentiallyConsistent)
      if isPending.exchange(false, ordering: .sequentiallyConsistent) { FileProbe.closeUnused() }
    }
    return try body()
  }

  /// Runs a closure that closes descriptors. During an opening, ``FileProbe/closeUnused()`` is
  /// called again at its end.
  fileprivate static func whileNoneIsUnderWay(_ body: () -> Void) {
    // An opening that ends after this sees that it is pending.
    isPending.store(true, ordering: .sequentiallyConsistent)
    guard
      count.compareExchange(expected: 0, desired: -1, ordering: .sequentiallyConsistent).exchanged
    else { return }
    defer { count.store(0, ordering: .releasing) }
    isPending.store(false, ordering: .relaxed)
    body()
  }
}
