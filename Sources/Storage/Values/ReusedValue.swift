/// A value of a generic type that is copied often, such as the coding container of all rows.
///
/// To copy a value, Swift needs the metadata of its type. A function that is generic over the
/// coding key would look the metadata of the container up at each call, which takes as long as two
/// columns. The class of this object has it.
final class ReusedValue<Value> {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  // Inlined or specialized, it would look the metadata up.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func copy() -> Value { value }
}
