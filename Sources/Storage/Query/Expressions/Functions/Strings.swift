/// Returns the number of characters of a text, or of bytes of a blob.
///
///     Player.select { length($0.name) }
///     // SELECT LENGTH("name") FROM "player"
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .function("LENGTH", value)
}

/// Removes spaces, or the given characters, from both ends of a text.
///
///     Player.select { trim($0.name) }
///     // SELECT TRIM("name") FROM "player"
///
///     Player.select { trim($0.name, characters: "-_") }
///     // SELECT TRIM("name", '-_') FROM "player"
public func trim(
  _ value: some SQLSpecificExpressible,
  characters: (any SQLExpressible)? = nil
) -> SQLExpression {
  trimming("TRIM", value, characters)
}

/// Removes spaces, or the given characters, from the beginning of a text.
///
///     Player.select { trimLeft($0.name) }
///     // SELECT LTRIM("name") FROM "player"
public func trimLeft(
  _ value: some SQLFunctionArgument,
  characters: (any SQLExpressible)? = nil
) -> SQLExpression {
  trimming("LTRIM", value, characters)
}

/// Removes spaces, or the given characters, from the end of a text.
///
///     Player.select { trimRight($0.name) }
///     // SELECT RTRIM("name") FROM "player"
public func trimRight(
  _ value: some SQLFunctionArgument,
  characters: (any SQLExpressible)? = nil
) -> SQLExpression {
  trimming("RTRIM", value, characters)
}

private func trimming(
  _ function: String,
  _ value: some SQLFunctionArgument,
  _ characters: (any SQLExpressible)?
) -> SQLExpression {
  guard let characters else { return .function(function, value) }
  return .function(function, value, characters)
}

/// Replaces each occurrence of a text in another text.
///
///     Player.select { replace($0.email, "@", " at ") }
///     // SELECT REPLACE("email", '@', ' at ') FROM "player"
public func replace(
  _ value: some SQLSpecificExpressible,
  _ pattern: some SQLExpressible,
  _ replacement: some SQLExpressible
) -> SQLExpression {
  .function("REPLACE", value, pattern, replacement)
}

/// Returns a part of a text.
///
///     Player.select { substr($0.name, 1, 3) }
///     // SELECT SUBSTR("name", 1, 3) FROM "player"
///
/// - Parameters:
///   - value: The text.
///   - start: The position of the first character, counted from 1; a negative number counts from
///     the end.
///   - length: The number of characters; by default, all that follow.
/// - Returns: The call of the function.
public func substr(
  _ value: some SQLSpecificExpressible,
  _ start: some SQLExpressible,
  _ length: (any SQLExpressible)? = nil
) -> SQLExpression {
  guard let length else { return .function("SUBSTR", value, start) }
  return .function("SUBSTR", value, start, length)
}

/// Returns the position of a text in another text, counted from 1, or 0 if it does not occur.
///
///     Player.select { instr($0.email, "@") }
///     // SELECT INSTR("email", '@') FROM "player"
public func instr(
  _ value: some SQLFunctionArgument,
  _ part: some SQLExpressible
) -> SQLExpression {
  .function("INSTR", value, part)
}

/// Converts ASCII letters to lower case, and leaves other characters unchanged.
///
///     Player.select { asciiLowercased($0.name) }
///     // SELECT LOWER("name") FROM "player"
public func asciiLowercased(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("LOWER", value)
}

/// Converts ASCII letters to upper case, and leaves other characters unchanged.
///
///     Player.select { asciiUppercased($0.name) }
///     // SELECT UPPER("name") FROM "player"
public func asciiUppercased(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("UPPER", value)
}
