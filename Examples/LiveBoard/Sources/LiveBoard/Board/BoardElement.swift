/// A part of the page, which the page recognizes by its ``id``.
public enum BoardElement: Equatable, Identifiable, Sendable {
  /// The numbers above the board.
  case totals(Totals)
  /// A line of the board.
  case item(Item)
  /// A line of the list of what happened last.
  case activity(Activity)

  /// Identifies the element among all parts.
  public enum ID: Hashable, Sendable {
    /// The only totals.
    case totals
    /// The item with a key.
    case item(Int64)
    /// The activity with a key.
    case activity(Int64)
  }

  /// The identity.
  public var id: ID {
    switch self {
    case .totals: .totals
    case .item(let item): .item(item.id)
    case .activity(let activity): .activity(activity.id)
    }
  }
}

extension BoardElement: Encodable {
  private enum CodingKeys: String, CodingKey { case part, value }

  /// Encodes the name of the part, and what it shows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .totals(let totals):
      try container.encode("totals", forKey: .part)
      try container.encode(totals, forKey: .value)
    case .item(let item):
      try container.encode("item", forKey: .part)
      try container.encode(item, forKey: .value)
    case .activity(let activity):
      try container.encode("activity", forKey: .part)
      try container.encode(activity, forKey: .value)
    }
  }
}
