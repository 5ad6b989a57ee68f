internal import Foundation

/// The keys of a log, and the reads of them.
struct EtcdKeys: Sendable {
  let tail: String
  private let entries: String
  private let nodes: String

  /// Makes the keys of a log.
  init(prefix: String, database: String) {
    tail = "\(prefix)/\(database)/tail"
    entries = "\(prefix)/\(database)/entries/"
    nodes = "\(prefix)/\(database)/nodes/"
  }

  /// The key of an entry. The keys have the same order as the entries.
  func entry(_ position: LogPosition) -> String {
    let digits = String(position.sequence)
    return entries + String(repeating: "0", count: 19 - digits.count) + digits
  }

  /// The place of the entry with a key.
  func position(_ key: Data) -> LogPosition? {
    let text = String(decoding: key, as: UTF8.self)
    guard text.hasPrefix(entries), let number = Int64(text.dropFirst(entries.count)), number > 0
    else { return nil }
    return LogPosition(number)
  }

  /// The end of the range of all entries.
  var end: String { String(entries.dropLast()) + "0" }

  /// The key of the announcement of a node.
  func node(_ id: String) -> String { nodes + id }

  /// A read of all announcements.
  var nodeRange: EtcdRead { EtcdRead(key: nodes, end: String(nodes.dropLast()) + "0") }

  /// A read of the end of the log.
  var tailRange: EtcdRead { EtcdRead(key: tail) }

  /// A read of the entries from a position on.
  func range(from position: LogPosition, limit: Int, keysOnly: Bool = false) -> EtcdRead {
    EtcdRead(key: entry(position), end: end, limit: limit, keysOnly: keysOnly)
  }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
