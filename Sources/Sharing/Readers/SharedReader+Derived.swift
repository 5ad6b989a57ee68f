internal import WellspringPlatform

extension SharedReader {
  /// A reader of what a closure makes of the value.
  ///
  ///     let names = $items.read { $0.map(\.name) }
  ///     for await names in names.values { print(names) }
  ///
  /// Its loops get a value when it differs from the one before.
  ///
  /// - Parameter body: Makes the value. It is called each time when the value is read.
  /// - Returns: A reader that follows this one, whatever key it shows.
  public func read<Member: Sendable>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(source: DerivedSource(box, body))
  }

  /// A reader of a member of the value.
  ///
  ///     for await count in $items.count.values { print(count) }
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    read { $0[keyPath: keyPath] }
  }

  /// Makes a reader of an optional value that is not `nil` now.
  ///
  ///     @SharedReader(.fetchOne(Item.filter(key: 1))) var item
  ///     if let item = SharedReader($item) { print(item.wrappedValue.name) }
  ///
  /// When the value becomes `nil`, the new reader keeps the last one.
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

extension ReaderSource {
  /// Whether it shows what a reader shows, directly or not.
  func isDerived<Other>(from box: ReaderBox<Other>) -> Bool {
    (self as? any BasedSource)?.isBased(on: box) ?? false
  }
}

/// A source that shows something of another reader.
protocol BasedSource {
  func isBased(on box: AnyObject) -> Bool
}

extension DerivedSource: BasedSource {
  func isBased(on box: AnyObject) -> Bool {
    base === box || (base.source as? any BasedSource)?.isBased(on: box) ?? false
  }
}
