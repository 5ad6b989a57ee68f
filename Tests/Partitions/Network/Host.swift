/// A machine of the lab: a network namespace with one link.
struct Host: Hashable, Sendable {
  /// Its name in the lab, such as `m1` for a member of etcd and `n1` for a node.
  let name: String
  /// Its number in the network, from zero.
  let index: Int
  /// The name of its network namespace, which no other lab uses.
  let namespace: String

  /// Its address in the network of the lab.
  var address: String { "10.77.0.\(index + 1)" }
}
