/// The difference between two arrays of elements, by the identity of the elements.
///
/// Apply it to the old array to get the new one, in the same order:
///
///     var items: [Item] = []
///     for try await changes in observation.changes(in: pool, id: \.id) {
///       changes.apply(to: &items)
///     }
///
/// Identities should be unique. Where they are not, the new array is still right, but an element
/// may be treated as another element with its identity: see ``duplicateIdentity``.
public struct ElementChanges<Element: Sendable>: Sendable {
  /// An element that is removed or inserted.
  public struct Entry: Sendable {
    /// Its index: in the old array if it is removed, in the new array if it is inserted.
    public let index: Int
    /// The element.
    public let element: Element

    @inlinable
    init(index: Int, element: Element) {
      self.index = index
      self.element = element
    }
  }

  /// An element that has the same identity as before, and another value.
  public struct Update: Sendable {
    /// Its index in the old array.
    public let oldIndex: Int
    /// Its index in the new array.
    public let newIndex: Int
    /// Its old value.
    public let oldElement: Element
    /// Its new value.
    public let newElement: Element

    @inlinable
    init(oldIndex: Int, newIndex: Int, oldElement: Element, newElement: Element) {
      self.oldIndex = oldIndex
      self.newIndex = newIndex
      self.oldElement = oldElement
      self.newElement = newElement
    }
  }

  /// An element that has another position among the elements that stay.
  public struct Move: Sendable {
    /// Its index in the old array.
    public let oldIndex: Int
    /// Its index in the new array.
    public let newIndex: Int
    /// The element with its new value.
    public let element: Element

    @inlinable
    init(oldIndex: Int, newIndex: Int, element: Element) {
      self.oldIndex = oldIndex
      self.newIndex = newIndex
      self.element = element
    }
  }

  /// Elements that were removed, in the order of the old array.
  public let removed: [Entry]
  /// Elements that are new, in the order of the new array.
  public let inserted: [Entry]
  /// Elements that have changed, in the order of the new array. An element that has moved too is
  /// also in ``moved``.
  public let updated: [Update]
  /// The smallest set of elements that must be moved so that all elements that stay are in their
  /// new order. They come in the order of the new array.
  public let moved: [Move]
  /// The description of an identity that several elements of the new array have, if the comparison
  /// has found one. It examines the elements between a common beginning and a common end of both
  /// arrays.
  public let duplicateIdentity: String?

  @inlinable
  init(
    removed: [Entry],
    inserted: [Entry],
    updated: [Update],
    moved: [Move],
    duplicateIdentity: String? = nil
  ) {
    self.removed = removed
    self.inserted = inserted
    self.updated = updated
    self.moved = moved
    self.duplicateIdentity = duplicateIdentity
  }

  /// Whether both arrays are equal.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && updated.isEmpty && moved.isEmpty
  }

  /// Changes the old array into the new one.
  ///
  /// - Precondition: The array is the old one.
  /// - Complexity: O(number of updates) for updates alone, plus a copy if the array is shared;
  ///   O(*n*) otherwise.
  @inlinable
  public func apply(to elements: inout [Element]) {
    for update in updated { elements[update.oldIndex] = update.newElement }
    if removed.isEmpty, inserted.isEmpty, moved.isEmpty { return }
    var isLeaving = [Bool](repeating: false, count: elements.count)
    for entry in removed { isLeaving[entry.index] = true }
    for move in moved { isLeaving[move.oldIndex] = true }
    var staying = elements.indices.lazy.filter { !isLeaving[$0] }.makeIterator()
    var arriving =
      (inserted.map { ($0.index, $0.element) } + moved.map { ($0.newIndex, $0.element) })
      .sorted { $0.0 < $1.0 }[...]
    var result: [Element] = []
    result.reserveCapacity(elements.count - removed.count + inserted.count)
    while true {
      if let (index, element) = arriving.first, index == result.count {
        arriving.removeFirst()
        result.append(element)
      } else if let index = staying.next() {
        result.append(elements[index])
      } else {
        break
      }
    }
    elements = result
  }
}
