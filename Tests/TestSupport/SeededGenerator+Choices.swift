extension SeededGenerator {
  /// Returns `true` with a probability of `percent`.
  package mutating func chance(_ percent: Int) -> Bool { number(in: 0..<100) < percent }

  package mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  package mutating func number(below limit: Int) -> Int { number(in: 0..<limit) }

  package mutating func pick<Element>(from elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  package mutating func pick(_ texts: String...) -> String { pick(from: texts) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }

  /// Returns one of several choices, each with a probability in proportion to its weight.
  package mutating func pick<Element>(weighted choices: KeyValuePairs<Element, Int>) -> Element {
    var rest = number(in: 0..<choices.reduce(0) { $0 + $1.value })
    for (element, weight) in choices {
      if rest < weight { return element }
      rest -= weight
    }
    return choices[0].key
  }
}
