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
  #expect(error?.message == message, sourceLocation: sourceLocation)
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
  #expect(error.map { "\($0)" } == description, sourceLocation: sourceLocation)
}
