import Foundation
import HistoryChecker

/// A history file that is read while its process writes.
final class FollowedHistory {
  let name: String
  /// The host of the process.
  let host: Host
  private let path: String
  private var file: FileHandle?
  private var rest = Data()
  private(set) var events: [HistoryEvent] = []

  init(name: String, host: Host, path: String) {
    self.name = name
    self.host = host
    self.path = path
  }

  /// Reads the new events.
  func update() {
    if file == nil { file = FileHandle(forReadingAtPath: path) }
    guard let data = try? file?.readToEnd(), !data.isEmpty else { return }
    rest += data
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let text = String(decoding: rest[...end], as: UTF8.self)
    rest = Data(rest[rest.index(after: end)...])
    events += text.split(separator: "\n").compactMap(HistoryEvent.init(line:))
  }

  /// The time of the last event that is acknowledged.
  var lastAcknowledgement: UInt64? {
    lastTime { if case .acknowledged = $0 { true } else { false } }
  }

  /// The number of rows that the process has shown last.
  var observedCount: Int {
    for event in events.reversed() {
      if case .observed(let count, _) = event.kind { return count }
    }
    return 0
  }

  /// Whether the process has said something that begins with a text.
  func hasSaid(_ text: String) -> Bool {
    events.reversed().contains { event in
      if case .said(let said) = event.kind { said.hasPrefix(text) } else { false }
    }
  }

  private func lastTime(_ isWanted: (HistoryEvent.Kind) -> Bool) -> UInt64? {
    events.last { isWanted($0.kind) }?.time
  }
}
