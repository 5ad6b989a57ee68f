/// Why bytes of a log are not an entry.
public enum EntryError: Error, Hashable, Sendable {
  /// The bytes end before the entry does.
  case cutOff
  /// The bytes do not begin like an entry.
  case notAnEntry
  /// A later version of the library wrote the entry.
  case unknownFormat(UInt8)
  /// The bytes differ from the bytes that were written.
  case wrongChecksum
  /// The checksum is right, but the content makes no sense.
  case malformed(String)
}

extension EntryError: CustomStringConvertible {
  /// The error, and the next step of the reader.
  public var description: String {
    switch self {
    case .cutOff: "The entry is cut off."
    case .notAnEntry: "The bytes are not an entry of this library."
    case .unknownFormat(let format):
      "The entry has format \(format), which a later version of the library writes: update this "
        + "node."
    case .wrongChecksum: "The entry is damaged: its checksum is wrong."
    case .malformed(let problem): "The entry is malformed: \(problem)."
    }
  }
}
