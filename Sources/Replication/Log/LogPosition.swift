/// A place in a log: the number of an entry. The first entry has number 1.
public struct LogPosition: Hashable, Sendable {
  /// The number of the entry, or 0 before the first one.
  public let sequence: Int64

  /// The place before the first entry.
  public static let start = LogPosition(0)

  /// Makes a position of an entry's number.
  ///
  /// - Precondition: The number is not negative.
  public init(_ sequence: Int64) {
    precondition(sequence >= 0, "The positions of a log begin with 0.")
    self.sequence = sequence
  }

  /// The place of the next entry.
  public var next: LogPosition { LogPosition(sequence + 1) }
}

extension LogPosition: Comparable {
  /// Returns whether a position comes before another one.
  public static func < (left: LogPosition, right: LogPosition) -> Bool {
    left.sequence < right.sequence
  }
}

extension LogPosition: CustomStringConvertible {
  /// The number of the entry.
  public var description: String { String(sequence) }
}
