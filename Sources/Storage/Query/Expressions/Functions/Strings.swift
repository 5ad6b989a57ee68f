/// The number of characters of a text, or of bytes of a blob.
///
///     Player.select { length($0.name) }
///     // SELECT LENGTH("name") FROM "player"
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .function("LENGTH", value)
}

/// A text without spaces at both ends, or without other characters.
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

/// A text without spaces at its beginning, or without other characters.
///
///     Player.select { trimLeft($0.name) }
///     // SELECT LTRIM("name") FROM "player"
public func trimLeft(
  _ value: some SQLFunctionArgument,
  characters: (any SQLExpressible)? = nil
) -> SQLExpression {
  trimming("LTRIM", value, characters)
}

/// A text without spaces at its end, or without other characters.
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

/// A text in which each occurrence of another one is replaced.
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

/// A part of a text.
///
///     Player.select { substr($0.name, 1, 3) }
///     // SELECT SUBSTR("name", 1, 3) FROM "player"
///
/// - Parameters:
///   - value: The text.
///   - start: The first character, counted from 1; a negative number counts from the end.
///   - length: How many characters; all that follow unless given.
/// - Returns: The call.
public func substr(
  _ value: some SQLSpecificExpressible,
  _ start: some SQLExpressible,
  _ length: (any SQLExpressible)? = nil
) -> SQLExpression {
  guard let length else { return .function("SUBSTR", value, start) }
  return .function("SUBSTR", value, start, length)
}

/// The place of a text in another one, counted from 1; 0 when it is not there.
///
///     Player.select { instr($0.email, "@") }
///     // SELECT INSTR("email", '@') FROM "player"
public func instr(
  _ value: some SQLFunctionArgument,
  _ part: some SQLExpressible
) -> SQLExpression {
  .function("INSTR", value, part)
}

/// The text with ASCII letters in lower case, and all others as they are.
///
///     Player.select { asciiLowercased($0.name) }
///     // SELECT LOWER("name") FROM "player"
public func asciiLowercased(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("LOWER", value)
}

/// The text with ASCII letters in upper case, and all others as they are.
///
///     Player.select { asciiUppercased($0.name) }
///     // SELECT UPPER("name") FROM "player"
public func asciiUppercased(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("UPPER", value)
}
