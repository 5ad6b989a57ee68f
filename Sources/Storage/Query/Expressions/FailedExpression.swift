/// An expression that cannot be written: the request that contains it fails when it is written.
struct FailedExpression: ExpressionPart {
  let message: String

  func write(to context: inout SQLContext) throws {
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
  }
}
