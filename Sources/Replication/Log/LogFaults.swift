/// The faults of a ``MemoryLog``, as a test wants them.
public struct LogFaults: Hashable, Sendable {
  /// The fault of an entry on its way to the reader.
  public enum Reading: Hashable, Sendable {
    /// The entry is left out.
    case lost
    /// The entry comes twice.
    case doubled
    /// The entry comes after its successor.
    case reordered
    /// The entry has its first bytes only.
    case cut(count: Int)
    /// One bit of the entry has the other value.
    case flippedBit(Int)
  }

  /// The fault of an append.
  public enum Appending: Hashable, Sendable {
    /// The entry is stored, and the answer is lost.
    case answerLost
    /// The entry is not stored, and no answer comes.
    case requestLost
    /// No answer comes, and the entry is stored when the next call begins, if it still fits.
    case late
    /// The entry is acknowledged, and not stored.
    case forgotten
    /// The entry is stored, and the writer gets the answer to another append.
    case otherAnswer(AppendOutcome)
  }

  /// The faults of entries, which stay until they are removed.
  public var reading: [LogPosition: Reading] = [:]

  /// The faults of the next appends, one for each.
  public var appending: [Appending] = []

  /// How many of the next calls find the log unavailable.
  public var unavailableCalls = 0

  /// Whether the log has no space for further entries.
  public var isFull = false

  /// Makes a value without faults.
  public init() {}
}

extension LogFaults {
  /// Returns the entries as a reader gets them.
  func applied(to entries: [LogEntry]) -> [LogEntry] {
    var result: [LogEntry] = []
    var delayed: LogEntry?
    for entry in entries {
      switch reading[entry.position] {
      case nil: result.append(entry)
      case .lost: break
      case .doubled: result += [entry, entry]
      case .reordered where delayed == nil:
        delayed = entry
        continue
      case .reordered: result.append(entry)
      case .cut(let count):
        result.append(LogEntry(position: entry.position, bytes: Array(entry.bytes.prefix(count))))
      case .flippedBit(let bit):
        var bytes = entry.bytes
        if !bytes.isEmpty { bytes[bit / 8 % bytes.count] ^= 1 << UInt8(bit % 8) }
        result.append(LogEntry(position: entry.position, bytes: bytes))
      }
      if let last = delayed {
        result.append(last)
        delayed = nil
      }
    }
    if let delayed { result.append(delayed) }
    return result
  }
}
