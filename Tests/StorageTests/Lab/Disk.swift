import TestSupport

/// A disk after a power cut: it holds all synced content, and any part of the unsynced content.
///
/// It is pure. Each file has synced contents and writes that are pending; a directory has changes
/// that are pending until a file in it is synced for the first time, or a deletion asks for it.
struct Disk {
  /// The smallest part that the disk writes as a whole, in bytes.
  static let sector = 512

  /// The part of the unsynced content that the disk may keep.
  enum Survival: CaseIterable {
    case nothing, everything, anything
  }

  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
  }

  private struct File {
    /// `nil` when the name of the file is not synced.
    var synced: [UInt8]?
    var pending: [Change] = []
    /// Whether the file is deleted, which the directory has not synced yet.
    var isDeleted = false
    /// Whether the file was created, which the directory has not synced yet.
    var isNew = false
    /// The content of the name on the disk until its sync: the file that was deleted before.
    var predecessor: [UInt8]?
  }

  private var files: [String: File] = [:]

  /// Adds a file that is on the disk.
  mutating func add(_ path: String, _ bytes: [UInt8]) {
    files[path] = File(synced: bytes)
  }

  mutating func create(_ path: String) {
    let old = files[path]
    if let old, !old.isDeleted { return }
    // A deletion that is not synced is still on the disk, unless that file was new itself.
    let predecessor = old.flatMap { $0.isNew ? $0.predecessor : $0.synced }
    files[path] = File(synced: [], isNew: true, predecessor: predecessor)
  }

  mutating func write(_ path: String, at offset: Int, _ bytes: [UInt8]) {
    files[path]?.pending.append(.write(offset: offset, bytes: bytes))
  }

  mutating func truncate(_ path: String, to size: Int) {
    files[path]?.pending.append(.truncate(size: size))
  }

  /// Syncs a file. SQLite syncs the directory with the first sync of a new journal or WAL; the file
  /// system does so with the first sync of any new file.
  mutating func sync(_ path: String) {
    guard var file = files[path] else { return }
    var bytes = file.synced ?? []
    for change in file.pending { Self.apply(change, to: &bytes) }
    file.synced = bytes
    file.pending = []
    if file.isNew { syncNames() }
    file.isNew = false
    file.predecessor = nil
    files[path] = file
  }

  mutating func delete(_ path: String, syncsName: Bool) {
    files[path]?.isDeleted = true
    if syncsName { syncNames() }
  }

  private mutating func syncNames() {
    files = files.filter { !$0.value.isDeleted }
    for path in files.keys {
      files[path]?.isNew = false
      files[path]?.predecessor = nil
    }
  }

  /// Returns the files that are on the disk after a power cut.
  func files(
    surviving survival: Survival,
    _ generator: inout SeededGenerator
  ) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    // In the order of the names, so that a seed gives the same result each time.
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      let survives: Bool
      switch survival {
      case .nothing: survives = false
      case .everything: survives = true
      case .anything: survives = generator.chance(50)
      }
      if file.isNew, !survives {
        result[path] = file.predecessor
        continue
      }
      if file.isDeleted, survives {
        // Of a file that never had a synced name, nothing can come back.
        continue
      }
      var bytes = file.synced ?? []
      for change in file.pending {
        switch survival {
        case .nothing: break
        case .everything: Self.apply(change, to: &bytes)
        case .anything: Self.applyPart(of: change, to: &bytes, &generator)
        }
      }
      result[path] = bytes
    }
    return result
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) }
    case .write(let offset, let new):
      let end = offset + new.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(offset..<end, with: new)
    }
  }

  /// Applies a change, or no part of it, or some of its sectors.
  private static func applyPart(
    of change: Change,
    to bytes: inout [UInt8],
    _ generator: inout SeededGenerator
  ) {
    guard case .write(let offset, let new) = change else {
      if generator.chance(50) { apply(change, to: &bytes) }
      return
    }
    switch generator.number(in: 0..<3) {
    case 0: break
    case 1: apply(change, to: &bytes)
    default:
      var start = 0
      while start < new.count {
        let end = min(new.count, (offset + start) / sector * sector + sector - offset)
        if generator.chance(50) {
          apply(.write(offset: offset + start, bytes: Array(new[start..<end])), to: &bytes)
        }
        start = end
      }
    }
  }
}
