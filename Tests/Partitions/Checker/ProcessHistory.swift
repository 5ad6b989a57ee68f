/// The notes of one process of a node, from its start to its end.
package struct ProcessHistory: Sendable {
  /// The name of the process, such as `n1.3` for the third process of the node `n1`.
  package var name: String
  package var events: [HistoryEvent]

  /// Makes a value of its parts.
  package init(name: String, events: [HistoryEvent]) {
    self.name = name
    self.events = events
  }

  /// Reads the text of a history file.
  package init(name: String, text: String) {
    // A process that is killed may leave a line that is not whole.
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    self.init(
      name: name,
      events: whole.split(separator: "\n").compactMap(HistoryEvent.init(line:))
    )
  }
}
