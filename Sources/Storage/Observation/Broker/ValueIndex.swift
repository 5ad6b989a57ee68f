internal import WellspringSystem

/// Finds the observations that look for a value in a column.
struct ValueIndex {
  typealias ID = QueryID

  /// The observations of a value: most of the time, there is one.
  private enum Observations {
    case one(ID)
    case several(Set<ID>)
  }

  private var values: [ValueKey: Observations] = [:]
  private var ranges = RangeIndex()

  var isEmpty: Bool { values.isEmpty && ranges.isEmpty }

  /// Adds an observation of values.
  mutating func insert(_ id: ID, _ range: ValueRange) {
    guard let key = range.onlyKey else { return ranges.insert(id, range) }
    guard let index = values.index(forKey: key) else {
      values[key] = .one(id)
      return
    }
    switch values.values[index] {
    case .one(let other): values.values[index] = .several([other, id])
    case .several(var ids):
      // The set must have one owner, or it is copied.
      values.values[index] = .one(id)
      ids.insert(id)
      values.values[index] = .several(ids)
    }
  }

  /// Removes an observation of values.
  ///
  /// - Returns: Whether no observation is left.
  mutating func remove(_ id: ID, _ range: ValueRange) -> Bool {
    if let key = range.onlyKey { remove(id, key) } else { ranges.remove(id, range) }
    return isEmpty
  }

  private mutating func remove(_ id: ID, _ key: ValueKey) {
    guard let index = values.index(forKey: key) else { return }
    guard case .several(var ids) = values.values[index] else {
      values.remove(at: index)
      return
    }
    values.values[index] = .one(id)
    ids.remove(id)
    if ids.isEmpty { values.remove(at: index) } else { values.values[index] = .several(ids) }
  }

  /// Calls a closure with each observation of a value.
  func forEach(of key: ValueKey, _ body: (ID) -> Void) {
    switch values[key] {
    case nil: break
    case .one(let id): body(id)
    case .several(let ids): ids.forEach(body)
    }
    ranges.forEach(containing: key) { $0.forEach(body) }
  }

  /// Calls a closure with each observation, once or more often.
  func forEach(_ body: (ID) -> Void) {
    for observations in values.values {
      switch observations {
      case .one(let id): body(id)
      case .several(let ids): ids.forEach(body)
      }
    }
    ranges.forEach { $0.forEach(body) }
  }
}

/// Finds the ranges with a value among many, and the observations of each.
///
/// A treap: a binary tree by the ranges, and a heap by random priorities, so that it is about as
/// deep as a balanced one. Each node knows the greatest upper bound below it.
struct RangeIndex {
  typealias ID = QueryID

  private struct Node {
    var range: ValueRange
    var observations: Set<ID>
    var priority: UInt64
    /// The greatest upper bound of this range and of those below.
    var upper: ValueRange.Bound?
    var left: Int?
    var right: Int?
  }

  private var nodes: [Node] = []
  /// The indexes of removed nodes.
  private var free: [Int] = []
  private var root: Int?
  private var randomState: UInt64 = 0

  var isEmpty: Bool { root == nil }

  /// Adds an observation of a range.
  mutating func insert(_ id: ID, _ range: ValueRange) {
    root = insert(id, range, below: root)
  }

  /// Removes an observation of a range.
  mutating func remove(_ id: ID, _ range: ValueRange) {
    root = remove(id, range, below: root)
  }

  /// Calls a closure with the observations of each range that contains a value.
  func forEach(containing key: ValueKey, _ body: (Set<ID>) -> Void) {
    visit(key, below: root, body)
  }

  /// Calls a closure with the observations of each range.
  func forEach(_ body: (Set<ID>) -> Void) {
    var rest = root.map { [$0] } ?? []
    while let index = rest.popLast() {
      body(nodes[index].observations)
      rest += [nodes[index].left, nodes[index].right].compactMap { $0 }
    }
  }

  private func visit(_ key: ValueKey, below index: Int?, _ body: (Set<ID>) -> Void) {
    guard let index, !ValueRange.isAbove(key, nodes[index].upper) else { return }
    let node = nodes[index]
    visit(key, below: node.left, body)
    // The ranges on the right begin where this one does, or later.
    guard !ValueRange.isBelow(key, node.range.lower) else { return }
    if node.range.contains(key) { body(node.observations) }
    visit(key, below: node.right, body)
  }

  // MARK: The tree

  private mutating func insert(_ id: ID, _ range: ValueRange, below index: Int?) -> Int {
    guard let index else { return makeNode(id, range) }
    if range == nodes[index].range {
      nodes[index].observations.insert(id)
      return index
    }
    let (near, far) = sides(of: range, at: index)
    let child = insert(id, range, below: nodes[index][keyPath: near])
    nodes[index][keyPath: near] = child
    guard nodes[child].priority > nodes[index].priority else { return updated(index) }
    nodes[index][keyPath: near] = nodes[child][keyPath: far]
    nodes[child][keyPath: far] = updated(index)
    return updated(child)
  }

  /// A child of a node.
  private typealias Side = WritableKeyPath<Node, Int?>

  /// The side of a node on which another range stands, and the other side.
  private func sides(of range: ValueRange, at index: Int) -> (near: Side, far: Side) {
    let (left, right): (Side, Side) = (\.left, \.right)
    return range < nodes[index].range ? (left, right) : (right, left)
  }

  private mutating func remove(_ id: ID, _ range: ValueRange, below index: Int?) -> Int? {
    guard let index else { return nil }
    if range == nodes[index].range {
      nodes[index].observations.remove(id)
      guard nodes[index].observations.isEmpty else { return index }
      free.append(index)
      return merge(nodes[index].left, nodes[index].right)
    }
    let (near, _) = sides(of: range, at: index)
    nodes[index][keyPath: near] = remove(id, range, below: nodes[index][keyPath: near])
    return updated(index)
  }

  /// Merges two trees. All ranges of the left tree come before those of the right tree.
  private mutating func merge(_ left: Int?, _ right: Int?) -> Int? {
    guard let left else { return right }
    guard let right else { return left }
    if nodes[left].priority > nodes[right].priority {
      nodes[left].right = merge(nodes[left].right, right)
      return updated(left)
    }
    nodes[right].left = merge(left, nodes[right].left)
    return updated(right)
  }

  /// Sets the greatest upper bound of a node whose children have theirs.
  private mutating func updated(_ index: Int) -> Int {
    var upper = nodes[index].range.upper
    if Fault.isOn(.valueInterval) {
      nodes[index].upper = upper
      return index
    }
    for child in [nodes[index].left, nodes[index].right] {
      if let child, ValueRange.isLess(upper: upper, nodes[child].upper) {
        upper = nodes[child].upper
      }
    }
    nodes[index].upper = upper
    return index
  }

  private mutating func makeNode(_ id: ID, _ range: ValueRange) -> Int {
    let node = Node(
      range: range,
      observations: [id],
      priority: nextPriority(),
      upper: range.upper
    )
    guard let index = free.popLast() else {
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[index] = node
    return index
  }

  /// A number of the generator SplitMix64, which is the same in each run.
  private mutating func nextPriority() -> UInt64 {
    randomState &+= 0x9E37_79B9_7F4A_7C15
    var bits = randomState
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
