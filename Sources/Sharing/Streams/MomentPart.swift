/// The contribution of one reader to a tuple: a query, and a transformation of its value.
struct MomentPart<Value: Sendable>: Sendable {
  /// The query; `nil` for a constant.
  let query: MomentQuery?
  /// Makes the reader's value from the value that the query has fetched.
  let make: @Sendable (_ fetched: (any Sendable)?) -> Value

  init(query: MomentQuery?, make: @escaping @Sendable ((any Sendable)?) -> Value) {
    self.query = query
    self.make = make
  }

  init(constant: Value) {
    self.init(query: nil) { _ in constant }
  }

  func map<New: Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> MomentPart<New> {
    MomentPart<New>(query: query) { [make] in transform(make($0)) }
  }
}
