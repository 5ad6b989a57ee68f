/// What a ``VirtualTableModule`` knows about the table that it creates.
public struct VirtualTableConfiguration: Sendable {
  /// Whether an existing table is kept.
  public let ifNotExists: Bool

  /// Whether the table exists for this connection only.
  public let temporary: Bool
}
