/// What a node reports.
public enum ShopReport: Codable, Equatable, Sendable {
  /// The node accepts orders of customers.
  case accepts(address: String)
  /// The node writes, as the primary of an epoch.
  case leads(epoch: Int64)
  /// The node follows the primary of an epoch.
  case follows(epoch: Int64)
  /// The node only serves reads, because of an error.
  case stopped(String)
  /// The node shows another summary.
  case shows(ShopSummary.Value)
  /// A sale of this node is in the log, and in the file of this node.
  case sold(Int64)
  /// The node sells no more.
  case rests
  /// A sale was not made, or the log did not say whether it was.
  case failed(String)

  /// One line.
  public var line: String {
    switch self {
    case .accepts(let address): "sells: curl -X POST http://\(address)/sales"
    case .leads(let epoch): "is the primary of epoch \(epoch)"
    case .follows(let epoch): "follows epoch \(epoch)"
    case .stopped(let reason): "has stopped: \(reason)"
    case .shows(let value):
      value.items.map { "\($0.name) \($0.sold)" }.joined(separator: ", ")
        + (value.last.map { "; sale \($0.id) by \($0.node)" } ?? "no sale yet")
    case .sold(let id): "sold: sale \(id)"
    case .rests: "sells no more"
    case .failed(let text): "could not sell: \(text)"
    }
  }
}
