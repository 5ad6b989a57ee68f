/// Conversions between `snake_case` and `camelCase`, as `JSONDecoder` and `JSONEncoder` make them.
enum SnakeCase {
  /// `first_name` → `firstName`. Underscores at either end stay.
  static func camelCased(_ name: String) -> String {
    guard name.contains(where: { $0 != "_" }) else { return name }
    let start = name.prefix { $0 == "_" }
    let end = name.reversed().prefix { $0 == "_" }
    let words = name.dropFirst(start.count).dropLast(end.count).split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return start + words[0].lowercased() + rest.joined() + end
  }

  /// `firstName` → `first_name`, `myURLProperty` → `my_url_property`. Capitals at the start are taken apart, as
  /// existing databases have it: `URL` → `u_rl`.
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
        // Of several capitals, the last one begins the next word.
        words.append(characters[capital..<small - 1])
        wordStart = small - 1
      }
      position = small + 1
    }
    words.append(characters[wordStart...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }
}
