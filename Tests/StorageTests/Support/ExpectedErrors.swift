import Storage
import Testing

/// Checks that the body throws a ``DatabaseError`` with this code and message, and returns it.
@discardableResult
func expectDatabaseError(
  _ code: ResultCode,
  _ message: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> DatabaseError? {
  let error = #expect(throws: DatabaseError.self, sourceLocation: sourceLocation, performing: body)
  #expect(error?.extendedResultCode == code, sourceLocation: sourceLocation)
  #expect(error?.message.map(withoutHint) == message, sourceLocation: sourceLocation)
  return error
}

/// Checks that the body throws an error with this description.
func expectError(
  _ description: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(
    throws: (any Error).self,
    sourceLocation: sourceLocation,
    performing: body
  )
  #expect(error.map { withoutHint("\($0)") } == description, sourceLocation: sourceLocation)
}

/// Returns a message as SQLite 3.40 writes it. From 3.41 on it asks whether a name in double quotes
/// should be a text.
private func withoutHint(_ message: String) -> String {
  message.replacing(
    #/no such column: "(?<name>[^"]*)" - should this be a string literal in single-quotes\?/#
  ) { "no such column: \($0.output.name)" }
}
