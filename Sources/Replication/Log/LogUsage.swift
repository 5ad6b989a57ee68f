/// The space that the engine of a log uses.
public struct LogUsage: Hashable, Sendable {
  /// The size of the engine's store in bytes, which other users of the engine may share.
  public var bytes: Int64

  /// The part of ``bytes`` that holds data. The free part is used again before the store grows.
  public var bytesInUse: Int64

  /// Whether the engine says that it takes no entry any more, until space is made and its alarm is
  /// switched off. Nodes cannot announce themselves then.
  public var isFull = false

  /// Makes a value of its parts, for an engine that is not full.
  ///
  /// - Parameters:
  ///   - bytes: The size of the engine's store.
  ///   - bytesInUse: The part of it that holds data.
  public init(bytes: Int64, bytesInUse: Int64) {
    self.bytes = bytes
    self.bytesInUse = bytesInUse
  }
}
