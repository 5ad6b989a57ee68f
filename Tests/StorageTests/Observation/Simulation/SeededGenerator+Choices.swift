extension SeededGenerator {
  /// Whether something happens that does so in `percent` of 100 cases.
  mutating func chance(_ percent: Int) -> Bool { number(in: 0..<100) < percent }

  mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }

  /// One of several things, each as likely as its weight says.
  mutating func pick<Element>(weighted choices: KeyValuePairs<Element, Int>) -> Element {
    var rest = number(in: 0..<choices.reduce(0) { $0 + $1.value })
    for (element, weight) in choices {
      if rest < weight { return element }
      rest -= weight
    }
    return choices[0].key
  }
}
