/// The roles that a node of a replicated database may take.
public enum ReplicationRole: Hashable, Sendable {
  /// The node becomes the primary when no other node is the primary.
  case automatic
  /// The node is to be the primary: when no node is the primary, it most likely tries first. When
  /// it follows a primary that is not preferred, that one ends its primacy like
  /// ``ReplicatedDatabase/resign()``, once this node is at most 64 entries behind, has announced
  /// itself twice, and needs no snapshot.
  ///
  /// If the node does not become the primary then, the other one ends its primacy again after a
  /// minute, after two more, and so on up to an hour. Both need
  /// ``ReplicationOptions/announcementInterval``.
  case preferred
  /// The node always follows another one.
  case replica

  /// Whether the node claims an epoch when no node is the primary.
  var isCandidate: Bool { self != .replica }
}
