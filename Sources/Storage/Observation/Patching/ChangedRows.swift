internal import WellspringSystem

/// The changes between two snapshots of the tables that a patch depends on.
struct ChangedRows: Sendable {
  /// The rows, and the values of some columns before and after each change.
  struct Content: Sendable {
    var rows: [TableName: RowIdentities] = [:]
    var values: [TableName: [ConditionColumn: Set<ValueKey>]] = [:]
    /// Tables whose changes are not known.
    var others: Set<TableName> = []

    /// Adds later changes; returns `false` if rows are identified in two ways.
    mutating func add(_ other: Content) -> Bool {
      for (table, changed) in other.rows {
        guard let union = rows[table, default: .none].union(changed) else { return false }
        rows[table] = union
      }
      for (table, columns) in other.values {
        values[table, default: [:]].merge(columns) { $0.union($1) }
      }
      others.formUnion(other.others)
      return true
    }
  }

  /// The number of the earlier snapshot.
  let since: CommitNumber
  private(set) var content: Content

  /// The number of rows, and of the values that lead to further ones.
  var count: Int {
    content.rows.values.reduce(0) { $0 + $1.count }
      + content.values.values.joined().reduce(0) { $0 + $1.value.count }
  }

  init(since: CommitNumber, _ content: Content) {
    self.since = since
    self.content = content
  }

  func rows(of table: TableName) -> RowIdentities { content.rows[table] ?? .none }

  /// Whether a table has changed.
  func touches(_ table: TableName) -> Bool {
    rows(of: table).count > 0 || content.values[table] != nil || content.others.contains(table)
  }

  /// Returns the rows to which links lead as changed ones, too.
  ///
  /// - Parameter links: The links.
  /// - Returns: The rows; `nil` if one of the links leads to any row.
  func following(_ links: [PatchLink]) -> ChangedRows? {
    var result = self
    for link in links {
      guard let keys = content.values[link.table]?[link.column] else { continue }
      var ids: Set<Int64> = []
      for key in keys {
        if key == .null {
          if link.needsAllForNull { return nil }
        } else if let id = key.rowID {
          ids.insert(id)
        }
      }
      if Fault.isOn(.patchLink), let first = ids.first { ids.remove(first) }
      guard let added = result.adding(ids, of: link.target) else { return nil }
      result = added
    }
    return result
  }

  /// Adds rows of a table; returns `nil` if its rows are identified in another way.
  func adding(_ ids: Set<Int64>, of table: TableName) -> ChangedRows? {
    guard let union = rows(of: table).union(.rowIDs(ids)) else { return nil }
    var result = self
    result.content.rows[table] = union
    return result
  }
}

/// The data of each commit that a patch needs.
struct PatchInputs: Hashable, Sendable {
  static let none = PatchInputs()

  /// The tables whose changed rows it needs.
  var rows: Set<TableName> = []
  /// The columns whose values it needs, before and after each change.
  var values: [TableName: Set<ConditionColumn>] = [:]

  var isEmpty: Bool { rows.isEmpty }

  var tables: Set<TableName> { rows.union(values.keys) }

  mutating func formUnion(_ other: PatchInputs) {
    rows.formUnion(other.rows)
    values.merge(other.values) { $0.union($1) }
  }
}

/// A column of a subquery's table that leads to the rows of the query around it.
///
/// In `SELECT *, (SELECT count(*) FROM player WHERE player.teamId = team.id) FROM team`, a change
/// of a player touches the teams whose ids its `teamId` is, before and after.
struct PatchLink: Hashable, Sendable {
  let table: TableName
  let column: ConditionColumn
  /// The table whose row ids are the values.
  let target: TableName
  /// Whether NULL in the column matters for all rows: `id NOT IN (SELECT teamId FROM player)`.
  var needsAllForNull = false
}

/// The numbers of the commits of which a broker has been notified.
///
/// The numbers mostly come one after the other. Numbers of foreign commits that only another pool
/// can see never come.
struct CommitRanges: Sendable {
  private static let maximumCount = 16

  private var ranges: [ClosedRange<UInt64>] = []

  mutating func insert(_ number: CommitNumber) {
    let number = number.rawValue
    if let last = ranges.last, last.upperBound + 1 == number {
      ranges[ranges.count - 1] = last.lowerBound...number
      return
    }
    if ranges.contains(where: { $0.contains(number) }) { return }
    ranges.append(number...number)
    merge()
    if ranges.count > Self.maximumCount { ranges.removeFirst() }
  }

  private mutating func merge() {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt64>] = []
    for range in ranges {
      if let last = merged.last, last.upperBound + 1 == range.lowerBound {
        merged[merged.count - 1] = last.lowerBound...range.upperBound
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// Whether all commits after one number and up to another one have been announced.
  func contains(after first: CommitNumber, upTo last: CommitNumber) -> Bool {
    guard first < last else { return first == last }
    return ranges.contains {
      $0.lowerBound <= first.rawValue + 1 && last.rawValue <= $0.upperBound
    }
  }
}
