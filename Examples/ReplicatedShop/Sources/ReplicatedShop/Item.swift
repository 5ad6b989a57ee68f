import Sharing

/// An article of the shop.
public struct Item: Codable, Equatable, Identifiable, Sendable {
  /// The key.
  public var id: Int64
  /// The name of the article.
  public var name: String
  /// How many were sold.
  public var sold: Int
}

extension Item: FetchableRecord, PersistableRecord {}
