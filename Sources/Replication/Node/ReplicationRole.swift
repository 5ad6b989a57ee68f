/// What a node of a replicated database may become.
public enum ReplicationRole: Hashable, Sendable {
  /// The node becomes the primary when there is none.
  case automatic
  /// The node always follows another one.
  case replica
}
