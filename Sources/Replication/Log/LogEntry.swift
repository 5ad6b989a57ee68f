/// An entry of a log, with its place.
public struct LogEntry: Hashable, Sendable {
  /// The entry's place.
  public let position: LogPosition

  /// The appended bytes.
  public let bytes: [UInt8]

  /// Makes an entry of its place and its bytes.
  public init(position: LogPosition, bytes: [UInt8]) {
    self.position = position
    self.bytes = bytes
  }
}
