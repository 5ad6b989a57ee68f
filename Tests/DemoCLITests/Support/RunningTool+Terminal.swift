import Foundation
import Glibc
import Testing

extension RunningTool {
  /// Types text or the codes of keys on the terminal.
  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(write(terminal, bytes, bytes.count) == bytes.count)
  }

  /// The lines of the last complete frame, without escape sequences.
  var lastFrame: [String] {
    let frames = outputText.components(separatedBy: "\u{1B}[?25l").filter {
      $0.contains("\u{1B}[?7h")
    }
    return (frames.last ?? "").replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
      .split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\r")) }
      .filter { !$0.isEmpty }
  }

  /// The rows of the last frame after the names of the columns, without spaces around them.
  var lastRows: [String] {
    lastFrame.dropFirst(2).map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
