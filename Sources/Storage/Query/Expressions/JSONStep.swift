/// How an operator finds a part of JSON: the text or number to the right of `->` and `->>`.
///
/// Versions of SQLite read a bare text such as `a.b`, `0` or `[0]` as a path, as an index or as a
/// key. All read `$."a.b"` as a key. https://www.sqlite.org/json1.html#jptr
struct JSONStep {
  /// The operands. The first one that finds a part counts: Foundation writes a slash in a key as
  /// `\/`, and SQLite compares the texts of keys before version 3.45.
  let operands: [SQLExpression]

  /// - Parameters:
  ///   - step: A key, or the index of an element.
  ///   - readsPaths: Whether a text that begins with `$` is a path.
  init(_ step: some SQLExpressible, readsPaths: Bool) {
    let expression = step.sqlExpression
    guard let value = expression.node.value else {
      let key = Self.dynamicPath(expression, readsPaths: readsPaths)
      operands = [key, SQL("REPLACE(\(key), '/', '\\/')").sqlExpression]
      return
    }
    switch value.storage {
    case .string(let text) where readsPaths && text.hasPrefix("$"):
      operands = [expression]
    case .string(let key):
      operands = Self.paths(ofKey: key)
    case .int64(let index) where index < 0:
      // Counted from the end. Versions before 3.47 know no negative numbers.
      operands = ["$[#-\(index.magnitude)]".sqlExpression]
    case .int64, .double, .blob, .null:
      operands = [expression]
    }
  }

  private static func paths(ofKey key: String) -> [SQLExpression] {
    guard !key.utf8.contains(UInt8(ascii: "\"")) else {
      let failure = FailedExpression(
        message: """
          a key of JSON with a quotation mark cannot be found in all versions of SQLite: read it \
          with json_each() in SQL
          """
      )
      return [SQLExpression(failure)]
    }
    guard !key.isPlainKey else { return [key.sqlExpression] }
    let path = "$.\"" + key.unicodeScalars.map(\.inJSONKey).joined() + "\""
    guard key.utf8.contains(UInt8(ascii: "/")) else { return [path.sqlExpression] }
    return [path.sqlExpression, path.replacing("/", with: "\\/").sqlExpression]
  }

  /// Returns the path of a key that SQL computes. A number is the index of an element.
  private static func dynamicPath(_ key: SQLExpression, readsPaths: Bool) -> SQLExpression {
    let path: SQL = "'$.' || JSON_QUOTE(\(key))"
    return readsPaths
      ? SQL(
        """
        CASE WHEN TYPEOF(\(key)) <> 'text' OR SUBSTR(\(key), 1, 1) = '$' THEN \(key) \
        ELSE \(literal: path) END
        """
      ).sqlExpression
      : SQL("CASE TYPEOF(\(key)) WHEN 'text' THEN \(literal: path) ELSE \(key) END").sqlExpression
  }
}

extension SQLSpecificExpressible {
  /// Returns the part of the JSON that an operator finds.
  func jsonPart(_ operator: Operation.Operator, _ step: JSONStep) -> SQLExpression {
    let parts = step.operands.map { SQLExpression.operation(`operator`, self, $0) }
    guard parts.count > 1 else { return parts[0] }
    let found = SQLExpression.function("COALESCE", parts)
    // COALESCE makes a plain text of JSON.
    return `operator` == .json ? SQLExpression(JSONText(expression: found.node)) : found
  }
}

extension String {
  /// Whether all versions of SQLite take the bare text for a key: it is a word of ASCII letters,
  /// digits and underscores, and does not begin with a digit.
  fileprivate var isPlainKey: Bool {
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

extension Unicode.Scalar {
  /// The character as JSON writes it in a key.
  fileprivate var inJSONKey: String {
    switch self {
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\u{8}": "\\b"
    case "\u{C}": "\\f"
    case "\0"..."\u{1F}": "\\u00" + UInt8(value).hexadecimal()
    default: String(self)
    }
  }
}
