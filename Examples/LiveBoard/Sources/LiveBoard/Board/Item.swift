import Sharing

/// An idea on the board, for which people vote.
public struct Item: Codable, Equatable, Identifiable, Sendable {
  /// The key.
  public var id: Int64
  /// What is proposed.
  public var title: String
  /// The number of votes. It may be negative.
  public var votes: Int
}

extension Item: FetchableRecord, PersistableRecord {}
