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

  /// Not available: a request needs a key around it, which says how it is fetched.
  @available(
    *,
    unavailable,
    message: "write .fetchAll(…), .fetchOne(…) or .fetchCount(…) around the request"
  )
  public init(_ request: some FetchRequest) {
    fatalError("unavailable")
  }

  /// Not available: a query in SQL needs a key around it, which says how it is fetched.
  @available(
    *,
    unavailable,
    message: "write .fetchAll(sql: …) or .fetchOne(sql: …) around the query"
  )
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    fatalError("unavailable")
  }
}
