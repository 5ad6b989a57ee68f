/// Converts between `snake_case` and `camelCase` with the rules of `JSONDecoder` and `JSONEncoder`.
enum SnakeCase {
  /// Converts `first_name` to `firstName`. Underscores at either end are kept.
  static func camelCased(_ name: String) -> String {
    guard name.contains(where: { $0 != "_" }) else { return name }
    let start = name.prefix { $0 == "_" }
    let end = name.reversed().prefix { $0 == "_" }
    let words = name.dropFirst(start.count).dropLast(end.count).split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return start + words[0].lowercased() + rest.joined() + end
  }

  /// Converts `firstName` to `first_name`, and `myURLProperty` to `my_url_property`.
  ///
  /// Capitals at the start are split, as in `JSONEncoder` and existing databases: `URL` becomes
  /// `u_rl`.
  static func snakeCased(_ name: String) -> String {
    let characters = Array(name)
    guard !characters.isEmpty else { return name }
    var words: [ArraySlice<Character>] = []
    var wordStart = 0
    var position = 1
    while let capital = characters[position...].firstIndex(where: \.isUppercase) {
      words.append(characters[wordStart..<capital])
      wordStart = capital
      guard let small = characters[capital...].firstIndex(where: \.isLowercase) else { break }
      if small > capital + 1 {
        // The last of several capitals begins the next word.
        words.append(characters[capital..<small - 1])
        wordStart = small - 1
      }
      position = small + 1
    }
    words.append(characters[wordStart...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }
}
