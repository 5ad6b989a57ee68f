internal import CWellspringSQLite

extension String {
  /// The string as the name of a function, a collation or a module, in quotes where SQLite needs
  /// them.
  var sqlWord: String {
    let isKeyword = sqlite3_keyword_check(self, Int32(clamping: utf8.count)) != 0
    return isPlainIdentifier && !isKeyword ? self : quotedDatabaseIdentifier
  }

  /// Whether the string consists of ASCII letters, digits and underscores, and does not begin with
  /// a digit.
  private var isPlainIdentifier: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
