/// A function written in Swift that SQL can call, with typed arguments and a typed result.
///
///     let conforms = TypedFunction("conforms") { (type: String, to: String) in
///       type == to || type.hasPrefix(to + ".")
///     }
///     db.add(function: conforms)
///     Attachment.filter { conforms($0.type, "public.image") }
///     // SELECT * FROM "attachment" WHERE conforms("type", 'public.image')
///
/// A call takes typed columns, typed expressions and Swift values; other types don't compile. Its
/// result is typed too. When an argument is NULL and its type is not `Optional`, the result is
/// NULL, and the closure is not called. An argument that cannot be converted to its type makes the
/// statement fail.
///
/// See ``DatabaseFunction`` for the rules of all functions.
public struct TypedFunction<
  Result: DatabaseValueConvertible & SendableMetatype,
  each Argument: DatabaseValueConvertible & SendableMetatype
>: Sendable {
  /// The function without its types.
  public let function: DatabaseFunction

  /// Creates a function.
  ///
  /// - Parameters:
  ///   - name: The name of the function in SQL.
  ///   - pure: Whether it always gives the same result for the same arguments.
  ///   - body: Computes the value.
  public init(
    _ name: String,
    pure: Bool = false,
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    let compute = ScalarFunction { values in
      var arguments = TypedArguments(name: name, values: values)
      do {
        return try body(repeat arguments.next((each Argument).self)).databaseValue
      } catch is TypedArguments.IsNull {
        return .null
      }
    }
    function = DatabaseFunction(name, argumentCount: count, pure: pure, kind: compute)
  }

  /// Returns an expression that calls the function.
  ///
  ///     Attachment.filter { conforms($0.type, "public.image") }
  ///     // SELECT * FROM "attachment" WHERE conforms("type", 'public.image')
  public func callAsFunction<each Operand: TypedOperand>(
    _ operands: repeat each Operand
  ) -> TypedExpression<Result>
  where repeat (each Operand).OperandValue.Unwrapped == (each Argument).Unwrapped {
    var arguments: [any SQLExpressible] = []
    repeat arguments.append(each operands)
    return TypedExpression(SQLExpression.function(function.name.sqlWord, arguments))
  }
}

/// Decodes the arguments of a call one by one.
private struct TypedArguments {
  struct IsNull: Error {}

  let name: String
  let values: FunctionArguments
  private var position = 0

  init(name: String, values: FunctionArguments) {
    self.name = name
    self.values = values
  }

  mutating func next<Value: DatabaseValueConvertible>(_ type: Value.Type) throws -> Value {
    defer { position += 1 }
    let value = values[position]
    if let argument = Value.fromColumnValue(value) { return argument }
    if value.isNull { throw IsNull() }
    throw DatabaseError(
      resultCode: .SQLITE_MISMATCH,
      message: """
        argument \(position + 1) of \(name) cannot be read as \(Value.self): \
        \(value.databaseValue)
        """
    )
  }
}
