extension SharedReader {
  /// Not available: a value that cannot be empty or `nil` needs one to show until the first fetch.
  @available(
    *,
    unavailable,
    message: "give the variable a value to show until the first fetch, as in `var count = 0`"
  )
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) {
    fatalError("unavailable")
  }
}
