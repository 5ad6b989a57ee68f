// The English singular and plural of a name. Only its last word changes: `soccerPlayer` becomes
// `soccerPlayers`, and a number at its end stays there: `player2`, `players2`.

extension String {
  /// The name in the plural.
  var pluralized: String { inflectingLastWord { Inflection.plural(of: $0) } }

  /// The name in the singular.
  var singularized: String { inflectingLastWord { Inflection.singular(of: $0) } }

  private func inflectingLastWord(_ inflect: (String) -> String) -> String {
    let digits = suffix(while: { $0.isASCII && $0.isNumber })
    let name = dropLast(digits.count)
    // A word begins with a capital letter or follows an underscore.
    let start =
      name.indices.reversed().first { index in
        name[index].isUppercase
          || (index > name.startIndex && !name[name.index(before: index)].isLetter)
      } ?? name.startIndex
    let word = String(name[start...])
    guard word.contains(where: \.isLetter) else { return self }
    return name[..<start] + inflect(word) + digits
  }

  private func suffix(while predicate: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, predicate(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}

/// The rules of English plurals.
private enum Inflection {
  static let uncountable: Set<String> = [
    "advice", "aircraft", "deer", "equipment", "fish", "furniture", "information", "jeans", "media",
    "metadata", "money", "news", "offspring", "police", "rice", "salmon", "series", "sheep",
    "shrimp", "software", "species", "swine", "trout",
  ]

  static let irregular: [(singular: String, plural: String)] = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
    ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("mouse", "mice"),
    ("louse", "lice"), ("ox", "oxen"), ("quiz", "quizzes"), ("move", "moves"),
    ("axis", "axes"), ("crisis", "crises"), ("testis", "testes"), ("analysis", "analyses"),
    ("basis", "bases"), ("thesis", "theses"), ("diagnosis", "diagnoses"),
    ("hypothesis", "hypotheses"), ("parenthesis", "parentheses"), ("synopsis", "synopses"),
    ("octopus", "octopi"), ("virus", "viri"), ("status", "statuses"), ("alias", "aliases"),
    ("bus", "buses"), ("matrix", "matrices"), ("vertex", "vertices"), ("index", "indices"),
    ("appendix", "appendices"), ("datum", "data"), ("medium", "media"),
    ("bacterium", "bacteria"), ("criterion", "criteria"), ("phenomenon", "phenomena"),
    ("knife", "knives"), ("life", "lives"), ("wife", "wives"), ("leaf", "leaves"),
    ("loaf", "loaves"), ("half", "halves"), ("shelf", "shelves"), ("self", "selves"),
    ("wolf", "wolves"), ("calf", "calves"), ("thief", "thieves"), ("hero", "heroes"),
    ("echo", "echoes"), ("potato", "potatoes"), ("tomato", "tomatoes"), ("veto", "vetoes"),
    ("database", "databases"), ("cookie", "cookies"), ("movie", "movies"), ("shoe", "shoes"),
    ("zombie", "zombies"), ("tie", "ties"), ("pie", "pies"), ("house", "houses"),
    ("horse", "horses"), ("course", "courses"), ("case", "cases"), ("purchase", "purchases"),
    ("release", "releases"), ("response", "responses"), ("cause", "causes"), ("use", "uses"),
    ("cache", "caches"), ("canvas", "canvases"), ("atlas", "atlases"), ("gas", "gases"),
    ("lens", "lenses"), ("campus", "campuses"), ("census", "censuses"), ("bonus", "bonuses"),
    ("focus", "focuses"), ("corpus", "corpuses"), ("genius", "geniuses"), ("cactus", "cactuses"),
    ("surplus", "surpluses"),
    ("torpedo", "torpedoes"), ("cargo", "cargoes"), ("stadium", "stadiums"),
  ]

  static func plural(of word: String) -> String {
    let lower = word.lowercased()
    if uncountable.contains(lower) || irregular.contains(where: { $0.plural == lower }) {
      return word
    }
    if let known = irregular.first(where: { $0.singular == lower }) {
      return known.plural.withCase(of: word)
    }
    if lower.hasSuffix("s") && !["ss", "us", "is"].contains(String(lower.suffix(2))) {
      return word
    }
    if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return word + "es" }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + "s"
  }

  static func singular(of word: String) -> String {
    let lower = word.lowercased()
    if uncountable.contains(lower) || irregular.contains(where: { $0.singular == lower }) {
      return word
    }
    if let known = irregular.first(where: { $0.plural == lower }) {
      return known.singular.withCase(of: word)
    }
    if lower.hasSuffix("ies"), lower.count > 4 { return word.dropLast(3) + "y" }
    if ["sses", "xes", "zzes", "ches", "shes"].contains(where: lower.hasSuffix) {
      return String(word.dropLast(2))
    }
    if lower.hasSuffix("s"), !["ss", "us", "is"].contains(String(lower.suffix(2))) {
      return String(word.dropLast())
    }
    return word
  }
}

extension String {
  /// The word, beginning with a capital letter if the other word does.
  fileprivate func withCase(of word: String) -> String {
    guard let first = word.first, first.isUppercase else { return self }
    return prefix(1).uppercased() + dropFirst()
  }
}
