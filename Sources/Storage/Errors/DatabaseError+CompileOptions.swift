extension DatabaseError {
  /// Finds the compile option whose absence explains an error of SQLite's compiler.
  ///
  /// SQLite says only that it knows no such module or function, or that the syntax is wrong.
  ///
  /// - Parameters:
  ///   - message: SQLite's message.
  ///   - sql: The statement.
  /// - Returns: The option; `nil` when the error has another reason.
  static func missingOption(message: String, sql: String?) -> CompileOption? {
    guard let option = neededOption(message: message, sql: sql), !option.isPresent else {
      return nil
    }
    return option
  }

  private static func neededOption(message: String, sql: String?) -> CompileOption? {
    if let module = message.removingPrefix("no such module: ") {
      return optionsOfModules[module.asciiLowercased]
    }
    if let function = message.removingPrefix("no such function: ")?.asciiLowercased {
      if mathFunctions.contains(function) { return .mathFunctions }
      return optionsOfFunctions[function]
    }
    guard limitErrors.contains(message.asciiLowercased), let sql else { return nil }
    let words = sql.asciiLowercased.split { !$0.isLetter }
    return words.contains("update") || words.contains("delete") ? .updateDeleteLimit : nil
  }

  private static let limitErrors: Set<String> = [
    #"near "limit": syntax error"#, #"near "order": syntax error"#,
  ]

  private static let optionsOfModules: [String: CompileOption] = [
    "fts3": .fts3, "fts4": .fts4, "fts5": .fts5, "fts5vocab": .fts5, "rtree": .rtree,
    "rtree_i32": .rtree,
  ]

  private static let optionsOfFunctions: [String: CompileOption] = [
    "bm25": .fts5, "fts5": .fts5, "highlight": .fts5, "soundex": .soundex,
  ]

  /// https://www.sqlite.org/lang_mathfunc.html
  private static let mathFunctions: Set<String> = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh",
    "degrees", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
  ]
}

extension String {
  fileprivate func removingPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
