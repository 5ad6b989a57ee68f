/// The associated rows of a row, which belong to the row itself or to one of its scopes.
@usableFromInline
enum RowPrefetch {
  /// The rows are fetched when they are read: by the buffer of the row, whose position follows.
  case pending(RowBuffer, Int)
  /// The rows were fetched. They may be used outside the access.
  case fetched([Entry])

  @usableFromInline
  struct Entry: Hashable {
    let scope: [String]
    let key: String
    let rows: [Row]
  }

  /// The names of the rows, with the scopes that they belong to.
  var names: [(scope: [String], key: String)] {
    switch self {
    case .pending(let buffer, _): buffer.levels.map { ($0.prefetch.scope, $0.prefetch.key) }
    case .fetched(let entries): entries.map { ($0.scope, $0.key) }
    }
  }

  /// The table of the rows that have associated rows, as long as it is known.
  var tableName: String? {
    if case .pending(let buffer, _) = self { buffer.tableName } else { nil }
  }

  /// Returns the rows with a name that are nearest to a scope, or `nil` if no rows have the name.
  func source(_ key: String, in scope: [String]) -> Source? {
    switch self {
    case .pending(let buffer, let row):
      return buffer.level(key, in: scope).map { .level($0, row) }
    case .fetched(let entries):
      return entries.filter { $0.key == key && $0.scope.starts(with: scope) }
        .min { $0.scope.count < $1.scope.count }
        .map { .rows($0.rows) }
    }
  }

  /// The associated rows of one row, by one name.
  @usableFromInline
  enum Source {
    case level(PrefetchedLevel, Int)
    case rows([Row])

    @inlinable
    func elements<Element>(
      as type: Element.Type,
      _ decode: (Row) throws -> Element
    ) throws -> [Element] {
      switch self {
      case .level(let level, let row): try level.elements(ofRow: row, as: type, decode)
      case .rows(let rows): try rows.map(decode)
      }
    }
  }

  /// The same rows, fetched.
  var entries: [Entry] {
    get throws {
      switch self {
      case .fetched(let entries):
        return entries
      case .pending(let buffer, let row):
        return try buffer.levels.map { level in
          Entry(
            scope: level.prefetch.scope,
            key: level.prefetch.key,
            rows: try level.elements(ofRow: row, as: Row.self) { try $0.fetchedCopy() }
          )
        }
      }
    }
  }
}

extension Row {
  /// The associated rows of the row, and the scope of the request's row that this row is.
  var prefetch: (rows: RowPrefetch, scope: [String])? {
    guard let prefetched = unadapted.prefetched else { return nil }
    return (prefetched, adapted?.adaptation.path ?? [])
  }

  /// The associated rows by a name, or `nil` if the request fetches none.
  @usableFromInline
  func prefetchSource(_ key: String) -> RowPrefetch.Source? {
    prefetch.flatMap { $0.rows.source(key, in: $0.scope) }
  }

  /// Returns an immutable copy, with its associated rows.
  func copyWithAssociatedRows() -> Row {
    do {
      return try fetchedCopy()
    } catch {
      failOrStop(error)
      let base = Row(layout: unadapted.layout, values: unadapted.databaseValues)
      return adapted.map { Row(base: base, adaptation: $0.adaptation) } ?? base
    }
  }

  /// Makes the fetch throw an error of SQLite as soon as the row has been decoded. Other errors
  /// stop the program.
  ///
  /// Members that cannot throw call it: a query may be interrupted at any time.
  @usableFromInline
  func failOrStop(_ error: any Error) {
    guard error is DatabaseError, case .pending(let buffer, _) = unadapted.prefetched else {
      stop(error)
    }
    buffer.fail(error)
  }

  /// Returns an immutable copy, with its associated rows.
  func fetchedCopy() throws -> Row {
    guard let prefetched = unadapted.prefetched else { return copy() }
    guard case .pending = prefetched else { return self }
    let base = Row(layout: unadapted.layout, values: unadapted.databaseValues)
    base.prefetched = .fetched(try prefetched.entries)
    return adapted.map { Row(base: base, adaptation: $0.adaptation) } ?? base
  }
}
