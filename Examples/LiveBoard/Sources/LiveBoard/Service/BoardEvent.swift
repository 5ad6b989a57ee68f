import Foundation
import Sharing

/// A server-sent event for the page: a patch, or the whole state, which is a patch of nothing.
struct BoardEvent: Encodable {
  /// An element with its index.
  struct Placed: Encodable {
    var index: Int
    var element: BoardElement
  }

  /// An old index and a new one.
  struct Move: Encodable {
    var from: Int
    var to: Int
  }

  /// Indexes in the old list.
  var removed: [Int]
  /// Indexes in the new list.
  var inserted: [Placed]
  /// Indexes in the old list.
  var updated: [Placed]
  var moved: [Move]

  init(_ changes: ElementChanges<BoardElement>) {
    removed = changes.removed.map(\.index)
    inserted = changes.inserted.map { Placed(index: $0.index, element: $0.element) }
    updated = changes.updated.map { Placed(index: $0.oldIndex, element: $0.newElement) }
    moved = changes.moved.map { Move(from: $0.oldIndex, to: $0.newIndex) }
  }

  /// The bytes of the event.
  func bytes(named name: String) -> [UInt8] {
    // Neither the texts nor the numbers of an element can fail to be encoded.
    let data = (try? JSONEncoder().encode(self)) ?? Data("{}".utf8)
    return Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
