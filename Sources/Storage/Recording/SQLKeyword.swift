/// The first word of a statement.
enum SQLKeyword {
  /// Returns the first word in lower case, without the comments and spaces before it.
  static func first(in sql: String) -> String {
    var rest = sql.utf8[...]
    while let first = rest.first {
      if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else if [9, 10, 12, 13, 32].contains(first) {
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    let word = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    return String(decoding: word, as: UTF8.self).asciiLowercased
  }
}
