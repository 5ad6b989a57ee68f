import Foundation

/// The notes of a process of ``NodeProgram`` so far.
///
/// A growing file is read from the end of the last read on: a test that waits reads often, and must
/// leave the processor to the nodes. Its owner uses it on one thread at a time.
final class NodeNotes {
  /// The path of the file.
  let path: String
  private var offset: UInt64 = 0
  private var notes: [NodeProgram.Note] = []
  private var newestWrite: NodeProgram.Note?

  /// Makes an empty file.
  init(path: String) {
    self.path = path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
  }

  /// All notes, in the order in which they were made.
  func all() throws -> [NodeProgram.Note] {
    try readOn()
    return notes
  }

  /// The last note of a row that was acknowledged.
  func lastAcknowledged() throws -> NodeProgram.Note? {
    try readOn()
    return newestWrite
  }

  private func readOn() throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    let data = try file.readToEnd() ?? Data()
    try file.close()
    // A process that was killed, or that writes now, may have written half a line.
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let text = String(decoding: data[...end], as: UTF8.self)
    offset += UInt64(data.distance(from: data.startIndex, to: end)) + 1
    for line in text.split(separator: "\n") {
      guard let note = NodeProgram.Note(line) else { continue }
      notes.append(note)
      if case .acknowledged = note { newestWrite = note }
    }
  }
}
