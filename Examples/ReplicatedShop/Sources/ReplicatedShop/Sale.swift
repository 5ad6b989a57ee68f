import Sharing

/// One sale.
public struct Sale: Codable, Equatable, Identifiable, Sendable {
  /// The key. Keys ascend, also when another node becomes the primary.
  public var id: Int64
  /// What was sold.
  public var itemID: Int64
  /// The name of the node that has sold it.
  public var node: String
  /// The order of the customer.
  public var orderID: String
}

extension Sale: FetchableRecord, PersistableRecord {}
