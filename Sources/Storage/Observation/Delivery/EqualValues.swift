// Equal values are dropped in two places: a query does not deliver a value that is equal to the one
// before, nor does a stage that turns values into other values.
// `ObservationPipeline.dropsEqualValues` says whether they do.

/// Returns whether a type is `Equatable`, as far as can be found out at run time: an `Array` is
/// when its elements are.
func isEquatable<Value>(_ type: Value.Type) -> Bool { type is any Equatable.Type }

/// Compares two values with the `==` of their type.
///
/// - Precondition: The type is `Equatable`: see ``isEquatable(_:)``.
func areEquatablesEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  // The type is looked up again for each comparison: a closure that crosses threads cannot hold it.
  func isEqual<Other: Equatable>(_ left: Other) -> Bool { left == (right as! Other) }
  let left = left as! any Equatable
  return isEqual(left)
}
