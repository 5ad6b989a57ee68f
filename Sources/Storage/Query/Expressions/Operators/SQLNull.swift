/// The type of a `nil` literal that is compared or assigned.
///
///     Column("email") == nil
///     // "email" IS NULL
public struct SQLNull: ExpressibleByNilLiteral, Sendable {
  /// Creates the value of a `nil` literal.
  public init(nilLiteral: ()) {}
}
