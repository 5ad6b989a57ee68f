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

extension Item: FetchableRecord, PersistableRecord {
  /// The columns, for use in requests.
  public enum Columns {
    /// The key.
    public static let id = Column("id")
    /// ``Item/title``.
    public static let title = Column("title")
    /// ``Item/votes``.
    public static let votes = Column("votes")
  }
}
