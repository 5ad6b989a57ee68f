/// Returns whether two values are equal. Values whose type is not `Equatable` are different.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  func isEqual<Other: Equatable>(_ left: Other) -> Bool { left == (right as? Other) }
  return (left as? any Equatable).map { isEqual($0) } ?? false
}
