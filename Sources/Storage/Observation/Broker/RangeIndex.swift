internal import WellspringPlatform

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
  /// The places of removed nodes.
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
    while let place = rest.popLast() {
      body(nodes[place].observations)
      rest += [nodes[place].left, nodes[place].right].compactMap { $0 }
    }
  }

  private func visit(_ key: ValueKey, below place: Int?, _ body: (Set<ID>) -> Void) {
    guard let place, !ValueRange.isAbove(key, nodes[place].upper) else { return }
    let node = nodes[place]
    visit(key, below: node.left, body)
    // The ranges on the right begin where this one does, or later.
    guard !ValueRange.isBelow(key, node.range.lower) else { return }
    if node.range.contains(key) { body(node.observations) }
    visit(key, below: node.right, body)
  }

  // MARK: The tree

  private mutating func insert(_ id: ID, _ range: ValueRange, below place: Int?) -> Int {
    guard let place else { return makeNode(id, range) }
    if range == nodes[place].range {
      nodes[place].observations.insert(id)
      return place
    }
    let (near, far) = sides(of: range, at: place)
    let child = insert(id, range, below: nodes[place][keyPath: near])
    nodes[place][keyPath: near] = child
    guard nodes[child].priority > nodes[place].priority else { return updated(place) }
    nodes[place][keyPath: near] = nodes[child][keyPath: far]
    nodes[child][keyPath: far] = updated(place)
    return updated(child)
  }

  /// A child of a node.
  private typealias Side = WritableKeyPath<Node, Int?>

  /// The side of a node on which another range stands, and the other side.
  private func sides(of range: ValueRange, at place: Int) -> (near: Side, far: Side) {
    let (left, right): (Side, Side) = (\.left, \.right)
    return range < nodes[place].range ? (left, right) : (right, left)
  }

  private mutating func remove(_ id: ID, _ range: ValueRange, below place: Int?) -> Int? {
    guard let place else { return nil }
    if range == nodes[place].range {
      nodes[place].observations.remove(id)
      guard nodes[place].observations.isEmpty else { return place }
      free.append(place)
      return merge(nodes[place].left, nodes[place].right)
    }
    let (near, _) = sides(of: range, at: place)
    nodes[place][keyPath: near] = remove(id, range, below: nodes[place][keyPath: near])
    return updated(place)
  }

  /// Makes one tree of two, where all ranges of the left one come before those of the right one.
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
  private mutating func updated(_ place: Int) -> Int {
    var upper = nodes[place].range.upper
    if Fault.isOn(.valueInterval) {
      nodes[place].upper = upper
      return place
    }
    for child in [nodes[place].left, nodes[place].right] {
      if let child, ValueRange.isLess(upper: upper, nodes[child].upper) {
        upper = nodes[child].upper
      }
    }
    nodes[place].upper = upper
    return place
  }

  private mutating func makeNode(_ id: ID, _ range: ValueRange) -> Int {
    let node = Node(
      range: range,
      observations: [id],
      priority: nextPriority(),
      upper: range.upper
    )
    guard let place = free.popLast() else {
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[place] = node
    return place
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
