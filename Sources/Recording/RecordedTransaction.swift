internal import Storage

/// The changes of the main database by one transaction, in the order of execution.
///
/// Savepoints that were undone, and statements that failed, have left nothing in it. The binary
/// form is also the form in memory, so that recording a row allocates nothing.
package struct RecordedTransaction: Hashable, Sendable {
  /// The version of the binary form, its first byte.
  static let format: UInt8 = 1

  private let bytes: [UInt8]

  /// - Parameter recorded: The binary form, written by this library.
  init(recorded: [UInt8]) {
    bytes = recorded
  }

  /// A transaction that cannot be repeated elsewhere.
  package init(snapshotNeeded reason: String) {
    var buffer = RecordingBuffer()
    buffer.appendSnapshotNeeded(reason)
    bytes = buffer.bytes
  }

  /// Reads the binary form.
  ///
  /// - Throws: ``RecordingError`` if it is damaged, whatever the bytes are.
  package init(decoding bytes: [UInt8]) throws(RecordingError) {
    guard let version = bytes.first else { throw .damaged("it is cut off") }
    guard version == Self.format else { throw .unknownFormat(version) }
    var reader = RecordedItemReader(bytes, from: 1)
    while try reader.next() != nil {}
    self.bytes = bytes
  }

  /// The binary form.
  package func encoded() -> [UInt8] { bytes }

  /// The items, decoded.
  package var items: [RecordedItem] {
    var items: [RecordedItem] = []
    forEachItem { items.append($0) }
    return items
  }

  /// Calls a closure with each item, in order.
  package func forEachItem(_ body: (RecordedItem) throws -> Void) rethrows {
    var reader = RecordedItemReader(bytes, from: 1)
    // The bytes were checked, or written by the recorder.
    while let item = try? reader.next() { try body(item) }
  }

  /// Why the transaction cannot be repeated elsewhere; `nil` if it can.
  package var snapshotReason: String? {
    for case .snapshotNeeded(let reason) in items { return reason }
    return nil
  }
}

/// Why bytes are not a recorded transaction, or a transaction cannot be recorded.
package enum RecordingError: Error, Hashable, Sendable {
  /// The bytes were made by another version of this library.
  case unknownFormat(UInt8)
  /// The bytes are damaged.
  case damaged(String)
  /// Only `Database` records: a commit by the raw connection was refused.
  case unrecordedCommit
  /// A virtual table changed rows while SQLite committed.
  case changedWhileCommitting
}

extension RecordingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownFormat(let version):
      "the recorded transaction has the format \(version), which this version cannot read"
    case .damaged(let what):
      "the recorded transaction is damaged: \(what)"
    case .unrecordedCommit:
      """
      a transaction that is recorded was committed through sqliteConnection: commit it through \
      Database
      """
    case .changedWhileCommitting:
      "a virtual table has changed rows while SQLite committed, after the rows were recorded"
    }
  }
}
