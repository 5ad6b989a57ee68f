import Foundation
import Replication
import WellspringSystem

/// Ends the process of a node, as SIGKILL does, at a step of a snapshot that its test has named.
struct SnapshotCrashes: Sendable {
  /// A step of making or of taking a snapshot.
  enum Step: String, CaseIterable, Sendable {
    // The primary makes it.
    case beforePut
    case insidePut
    case afterPut
    case insideCheck
    case afterCheck
    case afterTrim
    case beforeRemove
    case afterRemove
    // A replica takes it.
    case beforeGet
    case insideGet
    case afterGet
    case insideInstall

    /// Whether the primary comes to the step.
    var isOfPrimary: Bool {
      switch self {
      case .beforeGet, .insideGet, .afterGet, .insideInstall: false
      default: true
      }
    }
  }

  let name: String
  /// The file of the node.
  let database: String
  /// Where snapshots are kept.
  let directory: String

  private static func request(_ step: Step, _ name: String, _ directory: String) -> String {
    "\(directory)-crash-\(step.rawValue)-\(name)"
  }

  /// Asks a node to end at a step, when it comes there next.
  static func ask(_ name: String, at step: Step, _ directory: String) {
    _ = FileManager.default.createFile(
      atPath: request(step, name, directory),
      contents: nil
    )
  }

  /// Withdraws the requests that nodes have not followed.
  static func forget(_ step: Step, _ names: [String], _ directory: String) {
    for name in names { unlink(request(step, name, directory)) }
  }

  private func isAsked(_ step: Step) -> Bool {
    let request = Self.request(step, name, directory)
    guard FileManager.default.fileExists(atPath: request) else { return false }
    return unlink(request) == 0
  }

  /// Ends the process if it shall end at a step.
  func reach(_ step: Step) { if isAsked(step) { kill(getpid(), SIGKILL) } }

  /// Returns a store that ends the process at the steps.
  func store(_ base: SnapshotStore) -> SnapshotStore {
    let made = Lock(Set<String>())
    return SnapshotStore(
      put: { path, name in
        made.withLock { _ = $0.insert(name) }
        reach(.beforePut)
        if isAsked(.insidePut) { endInside(path, "\(directory)/.\(name).\(UUID().uuidString)") }
        try await base.put(path, name)
        reach(.afterPut)
      },
      get: { name, path in
        // The primary reads the snapshot that it has put.
        let isCheck = made.withLock { $0.contains(name) }
        if !isCheck { reach(.beforeGet) }
        if isAsked(isCheck ? .insideCheck : .insideGet) { endInside("\(directory)/\(name)", path) }
        try await base.get(name, path)
        reach(isCheck ? .afterCheck : .afterGet)
        if !isCheck, isAsked(.insideInstall) { endWhenInstalling() }
      },
      names: base.names,
      remove: { name in
        reach(.beforeRemove)
        try await base.remove(name)
        reach(.afterRemove)
      }
    )
  }

  /// Copies half of a file, and ends the process.
  private func endInside(_ path: String, _ copy: String) {
    if let whole = FileManager.default.contents(atPath: path) {
      _ = FileManager.default.createFile(atPath: copy, contents: whole.prefix(whole.count / 2))
    }
    kill(getpid(), SIGKILL)
  }

  /// Ends the process when a snapshot is in the WAL in part.
  private func endWhenInstalling() {
    let wal = "\(database)-wal"
    @Sendable func beginning() -> (size: Int, header: Data?) {
      var status = stat()
      let size = stat(wal, &status) == 0 ? Int(status.st_size) : 0
      let file = FileHandle(forReadingAtPath: wal)
      return (size, try? file?.read(upToCount: 32))
    }
    let start = beginning()
    Thread.detachNewThread {
      while true {
        let now = beginning()
        if now.size >= start.size + 200_000 { break }
        // A WAL is written from its beginning again under another header.
        if let header = start.header, header != now.header {
          CurrentThread.pause(microseconds: .random(in: 0...2_000))
          break
        }
      }
      kill(getpid(), SIGKILL)
    }
  }
}
