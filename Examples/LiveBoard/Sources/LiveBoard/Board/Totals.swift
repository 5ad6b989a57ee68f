import Sharing

/// The numbers above the board.
public struct Totals: Codable, Equatable, Sendable, FetchableRecord {
  /// The number of items.
  public var items: Int
  /// The sum of the votes of all items.
  public var votes: Int
  /// How many items have a negative number of votes.
  public var unloved: Int
}
