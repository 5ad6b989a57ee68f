/// The content of a node's file when all nodes have reached the end of the log.
package struct FinalFile: Sendable {
  /// The name of the node.
  package var node: String
  /// The ids of the writes in the order of their rows.
  package var ids: [Int]
  /// All else in the file, as lines.
  package var rest: [String]

  /// Makes a value of its parts.
  package init(node: String, ids: [Int], rest: [String] = []) {
    self.node = node
    self.ids = ids
    self.rest = rest
  }
}
