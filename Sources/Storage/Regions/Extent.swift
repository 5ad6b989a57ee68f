/// All elements of a kind, or some of them: the columns or the rows of a table.
enum Extent<Element: Hashable & Sendable>: Hashable, Sendable {
  case all
  case some(Set<Element>)

  /// Makes an extent of these elements; `nil` stands for all.
  init(_ elements: Set<Element>?) {
    self = elements.map(Self.some) ?? .all
  }

  /// The elements; `nil` for all.
  var elements: Set<Element>? {
    if case .some(let elements) = self { return elements }
    return nil
  }

  var isAll: Bool { elements == nil }

  func union(_ other: Extent) -> Extent {
    guard case .some(let elements) = self, case .some(let others) = other else { return .all }
    return .some(elements.union(others))
  }

  func intersection(_ other: Extent) -> Extent {
    guard case .some(let elements) = self else { return other }
    guard case .some(let others) = other else { return self }
    return .some(elements.intersection(others))
  }

  /// Returns whether the two may have an element in common. ``all`` overlaps with every extent,
  /// even with an empty one.
  func overlaps(_ other: Extent) -> Bool {
    guard case .some(let elements) = self, case .some(let others) = other else { return true }
    return !elements.isDisjoint(with: others)
  }
}
