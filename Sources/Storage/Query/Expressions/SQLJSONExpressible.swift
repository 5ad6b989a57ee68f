/// A type that represents JSON: a ``JSONColumn``, or any expression that is declared as JSON.
///
///     JSONColumn("info")["city"]
///     // "info" ->> 'city'
///
///     Column("info").asJSON["city"]
///     // "info" ->> 'city'
///
/// Functions that build JSON embed such a value as JSON, where they embed other texts as strings:
///
///     Database.jsonArray([JSONColumn("info"), Column("name")])
///     // JSON_ARRAY(JSON("info"), "name")
public protocol SQLJSONExpressible: SQLSpecificExpressible {}

extension SQLJSONExpressible {
  /// The value of a key, as an SQL value: the `->>` operator. A number is the index of an element
  /// of an array, counted from the end if it is negative.
  ///
  ///     Player.select { $0.info["city"] }
  ///     // SELECT "info" ->> 'city' FROM "player"
  ///
  ///     Player.select { $0.info["a.b"] }
  ///     // SELECT "info" ->> '$."a.b"' FROM "player"
  ///
  /// A text is a key whatever its characters are, with all versions of SQLite. For a path, see
  /// ``SQLSpecificExpressible/jsonValue(at:)`` and ``jsonExtract(atPath:)``. A key with a quotation
  /// mark is an error, because SQLite before version 3.47 has no path for it.
  public subscript(_ key: some SQLExpressible) -> SQLExpression {
    jsonPart(.jsonValue, JSONStep(key, readsPaths: false))
  }

  /// Returns the part of the JSON at a path: the `JSON_EXTRACT` function.
  ///
  ///     Player.select { $0.info.jsonExtract(atPath: "$.address.city") }
  ///     // SELECT JSON_EXTRACT("info", '$.address.city') FROM "player"
  public func jsonExtract(atPath path: some SQLExpressible) -> SQLExpression {
    Database.jsonExtract(self, atPath: path)
  }

  /// Returns a JSON array of the parts at several paths: the `JSON_EXTRACT` function.
  ///
  ///     Player.select { $0.info.jsonExtract(atPaths: ["$.city", "$.zip"]) }
  ///     // SELECT JSON_EXTRACT("info", '$.city', '$.zip') FROM "player"
  public func jsonExtract(atPaths paths: some Collection<some SQLExpressible>) -> SQLExpression {
    Database.jsonExtract(self, atPaths: paths)
  }

  /// Returns the part of the JSON at a path, or the value of a key, as JSON: the `->` operator. A
  /// text that begins with `$` is a path, and any other text a key.
  ///
  ///     Player.select { $0.info.jsonRepresentation(atPath: "address") }
  ///     // SELECT "info" -> 'address' FROM "player"
  public func jsonRepresentation(atPath path: some SQLExpressible) -> AnySQLJSONExpressible {
    AnySQLJSONExpressible(jsonRepresentation(at: path))
  }
}

extension SQLSpecificExpressible {
  /// The expression, read as JSON.
  ///
  ///     Database.jsonObject(["info": Column("info").asJSON])
  ///     // JSON_OBJECT('info', JSON("info"))
  public var asJSON: AnySQLJSONExpressible {
    AnySQLJSONExpressible(SQLExpression(JSONText(expression: node)))
  }
}

extension TypedExpressible {
  /// The expression, read as JSON.
  ///
  ///     TypedColumn<String>("info").asJSON["city"]
  ///     // "info" ->> 'city'
  public var asJSON: AnySQLJSONExpressible { untyped.asJSON }
}

/// An expression that is declared as JSON: see ``SQLSpecificExpressible/asJSON``.
public struct AnySQLJSONExpressible: SQLJSONExpressible, SQLCondition, Sendable {
  /// The expression.
  public let sqlExpression: SQLExpression

  init(_ expression: SQLExpression) {
    sqlExpression = expression
  }

  /// Wraps an expression that is declared as JSON.
  public init(_ value: some SQLJSONExpressible) {
    sqlExpression = value.sqlExpression
  }
}

/// A column that holds JSON.
///
///     extension Player.Columns {
///       static let info = JSONColumn("info")
///     }
///     Player.filter { $0.info["city"] == "Rome" }
///     // SELECT * FROM "player" WHERE ("info" ->> 'city') = 'Rome'
public struct JSONColumn: ColumnExpression, SQLJSONExpressible, Sendable {
  /// The name of the column, without quotes.
  public let name: String

  /// Creates a column from its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a column named after a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The column as an expression. Functions that build JSON treat its text as JSON.
  ///
  ///     JSONColumn("info").sqlExpression
  ///     // "info"
  public var sqlExpression: SQLExpression {
    SQLExpression(ColumnReference(name: name, isJSONText: true))
  }
}

/// An expression whose text is declared as JSON.
struct JSONText: ExpressionPart {
  let expression: ExpressionNode

  var isOperand: Bool { expression.part.isOperand }
  var operands: [ExpressionNode] { [expression] }
  var isJSONText: Bool { true }
  var negation: SQLExpression? { expression.part.negation }

  func collated(_ collation: String) -> ExpressionNode { expression.part.collated(collation) }

  func write(to context: inout SQLContext) throws { try expression.write(to: &context) }
}

extension SQLExpressible {
  /// The value as an argument of a function that builds JSON: JSON is embedded as such, and a text
  /// as a string. https://www.sqlite.org/json1.html#value_arguments
  var jsonArgument: SQLExpression {
    let expression = sqlExpression
    return expression.node.part.isJSONText ? .function("JSON", expression) : expression
  }
}

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
  /// Whether all versions of SQLite treat the bare text as a key: it is a word of ASCII letters,
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
