internal import CommandLineSupport
internal import Storage

/// The values of `--arg`, for the parameters of an SQL statement.
///
/// `--arg 5` is a number, `--arg cup` is a text, `--arg "'5'"` is the text `5`, and `--arg NULL` is
/// NULL. An argument that would change as a number, such as `05`, is a text. `--arg :name=cup` is
/// the value of the parameter `:name`.
struct SQLArguments: Equatable, Sendable {
  private(set) var values: [DatabaseValue] = []
  private(set) var namedValues: [String: DatabaseValue] = [:]
  /// The names as they were given, with their prefixes.
  private var givenNames: [String] = []

  init() {}

  /// Creates arguments from the texts of a command line.
  ///
  /// - Throws: ``UsageError`` when a name has two values.
  init(_ texts: [String]) throws {
    for text in texts {
      guard let (name, value) = Self.named(text) else {
        values.append(Self.value(text))
        continue
      }
      guard namedValues.updateValue(value, forKey: name) == nil else {
        throw UsageError("--arg gives \(text.prefix(1))\(name) two values")
      }
      givenNames.append(text.prefix(1) + name)
    }
  }

  /// The arguments as the library takes them.
  var statementArguments: StatementArguments {
    StatementArguments(values) + StatementArguments(namedValues)
  }

  /// Returns the arguments for a statement.
  ///
  /// - Throws: `DatabaseError` when the SQL does not compile, or a parameter has no value;
  ///   ``ToolError`` when the statement has no parameter with a given name.
  func statementArguments(for sql: String, _ db: Database) throws -> StatementArguments {
    guard !givenNames.isEmpty else { return statementArguments }
    let statement = try db.cachedStatement(sql: sql)
    let names = statement.parameterNames.compactMap(\.self)
    // The library ignores names that the statement does not have.
    for given in givenNames where !names.contains(String(given.dropFirst())) {
      let list = names.joined(separator: ", ")
      let others = names.isEmpty ? "" : " (its parameters are \(list))"
      throw ToolError("the statement has no parameter \(given)\(others)")
    }
    try statement.validateArguments(statementArguments)
    return statementArguments
  }

  private static func named(_ text: String) -> (String, DatabaseValue)? {
    guard let first = text.first, ":@$".contains(first), let equals = text.firstIndex(of: "=")
    else {
      return nil
    }
    let name = text[text.index(after: text.startIndex)..<equals]
    let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName ? (String(name), value(String(text[text.index(after: equals)...]))) : nil
  }

  private static func value(_ text: String) -> DatabaseValue {
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return text.dropFirst().dropLast().replacing("''", with: "'").databaseValue
    }
    if text == "NULL" { return .null }
    let digits = text.drop { $0 == "-" || $0 == "+" }
    let hasLeadingZero = digits.first == "0" && digits.dropFirst().first?.isNumber == true
    guard !hasLeadingZero, text.first != "+" else { return text.databaseValue }
    if let integer = Int64(text) { return integer.databaseValue }
    // `Double` also reads words such as `nan` and `infinity`, and hexadecimal digits.
    let isDecimal = text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
    if isDecimal, let real = Double(text) { return real.databaseValue }
    return text.databaseValue
  }
}

extension StringProtocol {
  fileprivate var databaseValue: DatabaseValue { String(self).databaseValue }
}
