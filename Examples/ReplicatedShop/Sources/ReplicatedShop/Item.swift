import Sharing

/// What the shop sells.
public struct Item: Codable, Equatable, Identifiable, Sendable {
  /// The key.
  public var id: Int64
  /// What it is.
  public var name: String
  /// How many were sold.
  public var sold: Int
}

extension Item: FetchableRecord, PersistableRecord {}
