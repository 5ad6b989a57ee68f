import Sharing

/// Something that has happened on the board. Triggers of the database write it, so that it does not
/// matter which process wrote.
public struct Activity: Codable, Equatable, Identifiable, Sendable {
  /// The key. Keys ascend.
  public var id: Int64
  /// When it happened, in UTC.
  public var time: String
  /// What happened: `proposed`, `voted`, `renamed` or `removed`.
  public var kind: String
  /// The title of the item.
  public var title: String
}

extension Activity: FetchableRecord {
  /// Reads the latest activities. The argument is their number.
  static let latestSQL = "SELECT id, time, kind, title FROM activity ORDER BY id DESC LIMIT ?"
}
