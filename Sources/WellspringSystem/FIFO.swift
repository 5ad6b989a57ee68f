/// A queue from which elements are taken in the order in which they were added.
///
/// It does not hold an element that was taken.
@usableFromInline
package struct FIFO<Element> {
  /// The elements from `start` on; `nil` where one was taken.
  @usableFromInline var places: [Element?] = []
  @usableFromInline var start = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { start == places.count }

  @inlinable
  package mutating func append(_ element: Element) { places.append(element) }

  /// Takes the first element.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard start < places.count else { return nil }
    let element = places[start].take()
    start += 1
    dropTaken()
    return element
  }

  /// Takes the first element that fits, wherever it is.
  @inlinable
  package mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
    let index = places[start...].firstIndex { place in place.map(fits) ?? false }
    guard let index else { return nil }
    let element = places.remove(at: index)
    dropTaken()
    return element
  }

  /// Empties the queue.
  ///
  /// - Returns: The elements that were in it.
  @inlinable
  package mutating func removeAll() -> [Element] {
    defer { self = FIFO() }
    return places[start...].compactMap { $0 }
  }

  /// Removes places when most of them are empty, so that each element is moved at most once.
  @inlinable
  mutating func dropTaken() {
    guard start * 2 >= places.count else { return }
    places.removeFirst(start)
    start = 0
  }
}

extension FIFO: Sendable where Element: Sendable {}
