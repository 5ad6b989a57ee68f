/// The tables that expressions of a statement can refer to: its own tables, and the tables of the
/// statements around a subquery.
///
/// An expression refers to a table by an alias or by a name. In the text, there are only names, and
/// the name of a table hides the same name outside of a subquery. A table that is hidden where an
/// expression refers to it therefore needs another name: ``resolve(_:ends:mainTable:)`` notes it,
/// and ``renameHiddenTables()`` chooses the name, with which the statement is written again.
struct TablesInSight {
  private struct Scope {
    let number: Int
    var tables: [TableReference]
    /// Tables that the request reads, but not this statement.
    let outside: [TableReference]
    /// Whether the statement can write other names of its tables.
    let mayRename: Bool
  }

  /// The index of a scope, and the index of a table in it.
  private struct Position {
    let scope: Int
    let index: Int
  }

  /// A table by the number of its scope.
  private struct HiddenTable: Hashable {
    let scope: Int
    let index: Int
  }

  /// The statements, the innermost last.
  private var scopes: [Scope] = []
  private var scopeCount = 0
  private var hidden: Set<HiddenTable> = []
  /// The names of all tables so far, also in statements that are written: another name must not
  /// equal the name of a table in a subquery, which is written again.
  private var names: Set<String> = []
  /// The SQL literals that are being written, with the number of statements around them.
  private var literals: [(sql: SQL, depth: Int)] = []
  /// Whether an expression refers to a table outside of the statements.
  private(set) var refersOutside = false

  /// The tables of the innermost statement.
  var tables: [TableReference] { scopes.last?.tables ?? [] }

  mutating func enter(_ tables: [TableReference], outside: [TableReference], mayRename: Bool) {
    scopeCount += 1
    names.formUnion(tables.map(\.textName.asciiLowercased))
    scopes.append(
      Scope(number: scopeCount, tables: tables, outside: outside, mayRename: mayRename)
    )
  }

  mutating func leave() {
    scopes.removeLast()
  }

  mutating func enter(_ literal: SQL) {
    literals.append((literal, scopes.count))
  }

  mutating func leaveLiteral() {
    literals.removeLast()
  }

  /// Gives other names to the tables of the innermost statement that are hidden where expressions
  /// refer to them.
  ///
  /// - Returns: Whether there are such tables, so that the statement must be written again.
  mutating func renameHiddenTables() -> Bool {
    guard !hidden.isEmpty, let scope = scopes.last else { return false }
    let own = hidden.filter { $0.scope == scope.number }
    guard !own.isEmpty else { return false }
    hidden.subtract(own)
    for table in own { rename(table.index) }
    return true
  }

  /// Gives a table of the innermost statement a name that no table has.
  private mutating func rename(_ index: Int) {
    let tableName = tables[index].tableName
    var number = 1
    while names.contains("\(tableName)\(number)".asciiLowercased) { number += 1 }
    let name = "\(tableName)\(number)"
    names.insert(name.asciiLowercased)
    scopes[scopes.count - 1].tables[index].writtenName = name
  }
}

// MARK: - Finding tables

extension TablesInSight {
  /// Finds the table that a reference denotes.
  ///
  /// - Parameters:
  ///   - reference: The table as an expression refers to it.
  ///   - ends: The two tables of the association whose condition is being written.
  ///   - mainTable: The table to which the expression belongs.
  /// - Returns: The table; the reference itself if no statement reads such a table, as in a literal
  ///   whose SQL names the table.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the reference is ambiguous, or the text
  ///   cannot refer to the table.
  mutating func resolve(
    _ reference: TableReference,
    ends: (origin: TableReference, destination: TableReference)?,
    mainTable: TableReference?
  ) throws -> TableReference {
    var reference = reference
    switch reference.identities.first {
    case .origin: reference = ends?.origin ?? reference
    case .destination: reference = ends?.destination ?? reference
    default: break
    }
    guard let position = try position(of: reference, mainTable) else { return reference }
    let scope = scopes[position.scope]
    let table = scope.tables[position.index]
    if isHidden(table, at: position.scope) {
      guard scope.mayRename, table.mayBeRenamed else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            a subquery refers to \(table.textName) of the statement around it, and also reads a \
            table with this name: give the table of the subquery an alias with another name
            """
        )
      }
      hidden.insert(HiddenTable(scope: scope.number, index: position.index))
    }
    return table
  }

  private mutating func position(
    of reference: TableReference,
    _ mainTable: TableReference?
  ) throws -> Position? {
    if reference.path != nil, let position = innermost({ $0.isSameTable(as: reference) }) {
      return position
    }
    switch reference.identities.first {
    case .path(let keys):
      let path = (mainTable?.path ?? []) + keys
      if let position = innermost(in: scopes.suffix(1), { $0.path == path }) { return position }
    case .aggregated, .alone:
      guard let identity = reference.identities.first else { break }
      if let position = innermost(in: scopes.suffix(1), { $0.identities.contains(identity) }) {
        return position
      }
    case .alias:
      return try position(ofAlias: reference)
    case .origin, .destination, nil:
      break
    }
    if reference.alias != nil { return innermost { $0.hasName(reference.name) } }
    // An alias takes the place of a name.
    if let position = innermost({ $0.hasName(reference.name) && !$0.isAliased }) { return position }
    return try onlyScope(of: reference) { $0.hasName(reference.name) }
      ?? onlyScope(of: reference) { $0.isTable(reference.tableName) }
  }

  /// Finds the table that has an alias. An alias that was given to no table denotes the table with
  /// its name, if only one table has this name.
  private mutating func position(ofAlias reference: TableReference) throws -> Position? {
    let isAliased = { (table: TableReference) in table.hasAlias(of: reference) }
    if let position = innermost(isAliased) {
      guard scopes[position.scope].tables.count(where: isAliased) == 1 else {
        throw ambiguity(of: reference)
      }
      return position
    }
    guard !scopes.contains(where: { $0.outside.contains(where: isAliased) }) else {
      refersOutside = true
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          an alias of \(reference.description) stands for a table that this part of the request \
          cannot read: the statement joins it elsewhere, or another statement reads it
          """
      )
    }
    if reference.alias != nil { return innermost { $0.hasName(reference.name) } }
    guard !reference.tableName.isEmpty else { return nil }
    let isTable = { (table: TableReference) in table.isTable(reference.tableName) }
    guard scopes.reduce(0, { $0 + $1.tables.count(where: isTable) }) <= 1 else {
      throw ambiguity(of: reference)
    }
    return innermost(isTable)
  }

  /// Finds the first table of the only statement that has such tables.
  private func onlyScope(
    of reference: TableReference,
    _ isMatch: (TableReference) -> Bool
  ) throws -> Position? {
    guard scopes.count(where: { $0.tables.contains(where: isMatch) }) <= 1 else {
      throw ambiguity(of: reference)
    }
    return innermost(isMatch)
  }

  private func ambiguity(of reference: TableReference) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the request reads \(reference.description) several times, and an expression may refer to \
        any of them: give each one an alias of its own with aliased(_:), and write the columns with it
        """
    )
  }

  private func innermost(_ isMatch: (TableReference) -> Bool) -> Position? {
    innermost(in: scopes[...], isMatch)
  }

  private func innermost(
    in scopes: ArraySlice<Scope>,
    _ isMatch: (TableReference) -> Bool
  ) -> Position? {
    for scope in scopes.indices.reversed() {
      if let index = scopes[scope].tables.firstIndex(where: isMatch) {
        return Position(scope: scope, index: index)
      }
    }
    return nil
  }

  /// Whether a subquery that is being written reads another table under the name.
  private func isHidden(_ table: TableReference, at depth: Int) -> Bool {
    let name = table.textName
    return scopes[(depth + 1)...].contains { $0.tables.contains { $0.hasTextName(name) } }
      || literals.contains { $0.depth > depth && $0.sql.readsTable(name) }
  }
}

extension TableReference {
  fileprivate func hasName(_ other: String) -> Bool {
    name == other || name.asciiLowercased == other.asciiLowercased
  }

  fileprivate func hasTextName(_ other: String) -> Bool {
    textName == other || textName.asciiLowercased == other.asciiLowercased
  }

  fileprivate func isTable(_ other: String) -> Bool {
    tableName == other || tableName.asciiLowercased == other.asciiLowercased
  }

  fileprivate func hasAlias(of reference: TableReference) -> Bool {
    guard let alias = reference.identities.first else { return false }
    return identities.contains { $0.isSame(as: alias) }
  }

  /// Whether both are the same table of one statement: only its aliases may differ.
  fileprivate func isSameTable(as other: TableReference) -> Bool {
    path == other.path && tableName == other.tableName && name == other.name
  }

  fileprivate var description: String { name.isEmpty ? "a table" : name }
}
