/// A value with the number of the snapshot that it was fetched from.
///
/// Commits of the process get numbers, and so do the moments at which foreign commits are noticed.
/// Of two values of one database, the value with the higher number is the newer one. Two values
/// with one number contain the same commits of this process; values that were delivered together
/// were fetched from one state. A process starts again with the lowest number.
public struct Numbered<Value: Sendable>: Sendable {
  /// The number of the last commit that the snapshot contains.
  public let number: UInt64
  /// The fetched value.
  public let value: Value
  /// How the value came about, if it is kept for patches.
  var origin: ValueOrigin?
}
