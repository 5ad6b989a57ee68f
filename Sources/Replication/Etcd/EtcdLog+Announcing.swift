internal import Foundation
internal import WellspringSystem

// Each announcement has a lease of its own, which ends by etcd's clock: nothing has to be kept for
// the next one, and a node that is gone leaves nothing.
extension EtcdLog {
  /// Keeps an announcement of a node for other nodes.
  ///
  /// - Parameters:
  ///   - announcement: The bytes of the announcement.
  ///   - node: The node.
  ///   - time: How long it is kept, rounded up to whole seconds. After a change of its leader, etcd
  ///     keeps it somewhat longer.
  /// - Throws: ``ReplicationLogError``. The announcement may be kept nevertheless.
  public func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError) {
    // etcd takes nine billion seconds at most.
    let seconds = (min(time.nanoseconds, .max / 4) + 999_999_999) / 1_000_000_000
    // A lease that was made without an answer ends by itself.
    let lease = try client.answer(
      "/v3/lease/grant",
      #"{"TTL":"\#(max(1, seconds))"}"#,
      as: EtcdLease.self
    )
    try client.check(lease.header)
    let put = try client.answer(
      "/v3/kv/put",
      #"{"key":"\#(EtcdKeys.base64(keys.node(node)))","#
        + #""value":"\#(Data(announcement).base64EncodedString())","lease":"\#(lease.ID)"}"#,
      as: EtcdChange.self
    )
    try client.check(put.header)
    if learnsEndpoints { client.learnEndpointsLater() }
  }

  /// Removes the announcement of a node.
  ///
  /// - Throws: ``ReplicationLogError``. The announcement may be gone nevertheless.
  public func withdraw(_ node: String) throws(ReplicationLogError) {
    let deletion = try client.answer(
      "/v3/kv/deleterange",
      #"{"key":"\#(EtcdKeys.base64(keys.node(node)))"}"#,
      as: EtcdChange.self
    )
    try client.check(deletion.header)
  }

  /// Returns the announcements that are kept.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func announcements() throws(ReplicationLogError) -> [[UInt8]] {
    try read([keys.nodeRange]).pairs(0).map { Array($0.value ?? Data()) }
  }
}
