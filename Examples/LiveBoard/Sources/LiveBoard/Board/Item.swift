import Sharing

/// An idea on the board. People vote for it.
public struct Item: Codable, Equatable, Identifiable, Sendable {
  /// The key.
  public var id: Int64
  /// The proposed idea.
  public var title: String
  /// The number of votes. It may be negative.
  public var votes: Int
}

extension Item: FetchableRecord, PersistableRecord {}
