internal import Foundation
internal import WellspringSystem

/// The right to be the node of a file, which one process at a time has.
///
/// It is a lock on a file beside the node's file, since the locks of SQLite are for transactions
/// only. The kernel releases it when the process ends, however it ends. The file stays: a process
/// that removed it could remove the lock of the next one.
final class FileTurn: Sendable {
  // Guards the descriptor of the file that is locked, until it is released.
  private let descriptor: Lock<Int32?>
  private let process = ProcessIdentity()

  /// The number of the node, in hexadecimal digits.
  let id: String

  /// Takes the turn of a file.
  ///
  /// - Throws: ``ReplicationError/fileInUse(_:)`` if another node has it.
  init(of path: String) throws {
    let path = FilePath.resolved(path) + "-node"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      // Opening the database says so better.
      guard errno == ENOENT else { throw Self.error(path) }
      descriptor = Lock(nil)
      id = Self.newID
      return
    }
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      let owner = Self.owner(file)
      Foundation.close(file)
      errno = code
      guard code == EWOULDBLOCK else { throw Self.error(path) }
      throw ReplicationError.fileInUse(owner)
    }
    // The first line is for people. Without it, the lock is as good.
    id = Self.id(file) ?? Self.newID
    let text = Array("process \(getpid()) on \(NodeIdentity.machine)\nnode \(id)\n".utf8)
    if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
    descriptor = Lock(file)
  }

  deinit { release() }

  /// Lets the next node use the file.
  func release() {
    let file = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let file else { return }
    // A child process has a copy of the descriptor from its fork to its exec. Without this, the
    // lock would last as long. A child that calls no exec must leave its parent the lock.
    if process.isCurrent { flock(file, LOCK_UN) }
    Foundation.close(file)
  }

  private static var newID: String { hexadecimal((0..<8).map { _ in UInt8.random(in: 0...255) }) }

  /// The number in a file of an earlier process.
  private static func id(_ file: Int32) -> String? {
    let words = lines(file).dropFirst().first?.split(separator: " ")
    guard let words, words.count == 2, words[0] == "node", words[1].utf8.count == 16 else {
      return nil
    }
    return words[1].allSatisfy(\.isHexDigit) ? String(words[1]) : nil
  }

  private static func owner(_ file: Int32) -> String {
    lines(file).first.map(String.init) ?? "another process"
  }

  private static func lines(_ file: Int32) -> [Substring] {
    var bytes = [UInt8](repeating: 0, count: 400)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  }

  private static func error(_ path: String) -> CocoaError {
    let kind: CocoaError.Code = errno == ENOSPC ? .fileWriteOutOfSpace : .fileWriteUnknown
    let reason = String(cString: strerror(errno))
    return CocoaError(
      kind,
      userInfo: [NSFilePathErrorKey: path, NSDebugDescriptionErrorKey: reason]
    )
  }
}
