/// A row adapter that renames some columns and hides all other columns.
///
///     // SELECT 1 AS a, 2 AS b, 3 AS c → [id:1 total:3]
///     ColumnMapping(["id": "a", "total": "c"])
public struct ColumnMapping: RowAdapter, Hashable {
  private let mapping: [String: String]

  /// Creates a mapping from column names of the adapted row to column names of the query.
  public init(_ mapping: [String: String]) {
    self.mapping = mapping
  }

  /// Lays out the mapped columns in the order in which the query returns them.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query lacks a mapped column.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    let columns = try mapping.map { name, baseName in
      guard let column = base.column(named: baseName) else {
        throw base.mismatch("a column mapping requires the column \(baseName)")
      }
      return AdaptedRowLayout.Column(baseIndex: column.baseIndex, name: name)
    }
    return AdaptedRowLayout(
      columns: columns.sorted { ($0.baseIndex, $0.name) < ($1.baseIndex, $1.name) }
    )
  }
}

/// A row adapter that hides all columns. It serves as the base of a ``ScopeAdapter``.
public struct EmptyRowAdapter: RowAdapter, Hashable {
  /// Creates the adapter.
  public init() {}

  /// Lays out no columns.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(columns: [])
  }
}

/// A row adapter that shows a range of columns and hides all other columns.
///
///     // name and price of id, name, price, shop
///     RangeRowAdapter(1..<3)
public struct RangeRowAdapter: RowAdapter, Hashable {
  private let range: Range<Int>

  /// Creates an adapter that shows the columns of a range of indexes, counted from 0.
  public init(_ range: Range<Int>) {
    self.range = range
  }

  /// Creates an adapter that shows the columns of a range of indexes, counted from 0.
  public init(_ range: ClosedRange<Int>) {
    self.init(Range(range))
  }

  /// Lays out the columns of the range.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query has too few columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard range.lowerBound >= 0, range.upperBound <= base.columns.count else {
      throw base.mismatch("a row adapter requires the columns \(range)")
    }
    return AdaptedRowLayout(columns: Array(base.columns[range]))
  }
}

/// A row adapter that shows all columns from an index on.
///
///     // price and shop of id, name, price, shop
///     SuffixRowAdapter(fromIndex: 2)
public struct SuffixRowAdapter: RowAdapter, Hashable {
  private let index: Int

  /// Creates an adapter that hides the columns before an index, counted from 0.
  ///
  /// - Precondition: The index is not negative.
  public init(fromIndex index: Int) {
    precondition(index >= 0, "A column index must not be negative, but it is \(index).")
    self.index = index
  }

  /// Lays out the columns from the index on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query has too few columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard index <= base.columns.count else {
      throw base.mismatch("a row adapter requires the columns from \(index) on")
    }
    return AdaptedRowLayout(columns: Array(base.columns[index...]))
  }
}

/// A row adapter that renames all columns.
///
///     RenameColumnAdapter { "wine_" + $0 }
public struct RenameColumnAdapter: RowAdapter {
  private let rename: @Sendable (String) -> String

  /// Creates an adapter that calls a closure with each column name of the query.
  public init(_ rename: @escaping @Sendable (String) -> String) {
    self.rename = rename
  }

  /// Lays out all columns under their new names.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(
      columns: base.columns.map {
        AdaptedRowLayout.Column(baseIndex: $0.baseIndex, name: rename($0.name))
      }
    )
  }
}

/// A row adapter that adds scopes to a row: other forms of the same row, each with a name.
///
///     let adapter = ScopeAdapter(["region": SuffixRowAdapter(fromIndex: 3)])
///     let row = try Row.fetchOne(db, sql: sql, adapter: adapter)
///     row?.scopes["region"]
public struct ScopeAdapter: RowAdapter, Hashable {
  private let base: HashableRowAdapter?
  private let scopes: [String: HashableRowAdapter]

  /// Creates an adapter that keeps all columns and adds scopes.
  public init(_ scopes: [String: any RowAdapter]) {
    base = nil
    self.scopes = scopes.mapValues { HashableRowAdapter($0) }
  }

  /// Creates an adapter that adds scopes to the rows of another adapter.
  ///
  /// The scopes are forms of the query's row, not of the adapted row.
  public init(base: any RowAdapter, scopes: [String: any RowAdapter]) {
    self.base = HashableRowAdapter(base)
    self.scopes = scopes.mapValues { HashableRowAdapter($0) }
  }

  /// Lays out the columns of the base adapter together with the scopes.
  ///
  /// - Throws: The errors of the base adapter and the scopes.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    var layout =
      try self.base?.adapter.layout(adapting: base) ?? AdaptedRowLayout(columns: base.columns)
    for (name, scope) in scopes { layout.scopes[name] = try scope.adapter.layout(adapting: base) }
    return layout
  }
}

extension RowAdapter {
  /// Returns this adapter with additional scopes. A scope replaces an existing scope of the same
  /// name.
  ///
  /// The scopes are forms of the query's row, not of the adapted row.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    scopes.isEmpty ? self : ScopeAdapter(base: self, scopes: scopes)
  }
}

/// Returns adapters that split a row into consecutive parts.
///
///     // 0..<2, 2..<5, and the rest
///     let adapters = splittingRowAdapters(columnCounts: [2, 3])
///
/// - Parameter columnCounts: The number of columns of each part except the last.
/// - Returns: One adapter for each count, and one for the remaining columns.
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
  var start = 0
  var adapters: [any RowAdapter] = columnCounts.map { count in
    defer { start += count }
    return RangeRowAdapter(start..<start + count)
  }
  adapters.append(SuffixRowAdapter(fromIndex: start))
  return adapters
}

/// A row adapter that can be compared.
///
/// Adapters that are not `Hashable` are equal if they are copies of one value.
struct HashableRowAdapter: Sendable {
  private final class Identity: Sendable {}

  let adapter: any RowAdapter
  /// `nil` if the adapter is `Hashable`.
  private let identity: Identity?

  init(_ adapter: any RowAdapter) {
    self.adapter = adapter
    identity = adapter is any Hashable ? nil : Identity()
  }
}

extension HashableRowAdapter: Hashable {
  static func == (left: HashableRowAdapter, right: HashableRowAdapter) -> Bool {
    if let left = left.adapter as? any Hashable, let right = right.adapter as? any Hashable {
      return AnyHashable(left) == AnyHashable(right)
    }
    return left.identity === right.identity
  }

  func hash(into hasher: inout Hasher) {
    if let adapter = adapter as? any Hashable {
      hasher.combine(AnyHashable(adapter))
    } else {
      hasher.combine(identity.map { ObjectIdentifier($0) })
    }
  }
}
