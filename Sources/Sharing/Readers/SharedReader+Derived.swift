internal import WellspringSystem

extension SharedReader {
  /// Returns a reader of a transformed value.
  ///
  ///     let names = $items.read { $0.map(\.name) }
  ///     for await names in names.values { print(names) }
  ///
  /// The loops of the new reader skip a value that equals the previous one.
  ///
  /// - Parameter body: Transforms the value. It is called each time the value is read.
  /// - Returns: A reader that follows this one, even when this one shows another key.
  public func read<Member: Sendable>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(source: DerivedSource(box, body))
  }

  /// Returns a reader of a member of the value.
  ///
  ///     for await count in $items.count.values { print(count) }
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    read { $0[keyPath: keyPath] }
  }

  /// Creates a reader of an optional value that is not `nil` now.
  ///
  ///     @SharedReader(.fetchOne(Item.filter(key: 1))) var item
  ///     if let item = SharedReader($item) { print(item.wrappedValue.name) }
  ///
  /// When the value becomes `nil`, the new reader keeps the last value.
  ///
  /// - Returns: `nil` when the value is `nil`.
  public init?(_ base: SharedReader<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    // Guards the last value that was not nil.
    let last = Lock(value)
    self = base.read { value in
      guard let value else { return last.withLock { $0 } }
      let replaced = last.withLock { last in
        defer { last = value }
        return last
      }
      return withExtendedLifetime(replaced) { value }
    }
  }
}
