/// The complete definition of a new table, with the parent keys of its foreign keys resolved.
struct TableLayout {
  private enum Part {
    case column(ColumnClause)
    case literal(SQL)
  }

  private let options: TableOptions
  private var parts: [Part] = []
  private var constraints: [TableConstraint] = []
  /// The indexes on the columns.
  private(set) var indexes: [IndexDefinition] = []

  /// - Throws: ``DatabaseError`` when a foreign key refers to a table or a key that does not exist.
  init(_ definition: TableDefinition, _ db: Database) throws {
    options = definition.options
    let indexOptions: IndexOptions = options.contains(.ifNotExists) ? .ifNotExists : []
    var keys = ParentKeys(db: db, table: definition.name, ownKey: definition.ownKey)

    // The columns of each element of the definition.
    var columns: [[String]] = []
    for (number, element) in definition.elements.enumerated() {
      switch element {
      case .column(let column):
        parts.append(.column(column.clause))
        columns.append([column.clause.name])
        if let index = column.clause.index(on: keys.table, options: indexOptions) {
          indexes.append(index)
        }
      case .parent(let parent):
        var added = try parent.parts(keys, indexOptions: indexOptions)
        if options.contains(.strict) {
          for index in added.columns.indices { added.columns[index].makeInheritedTypeStrict() }
        }
        parts += added.columns.map { .column($0) }
        columns.append(added.columns.map(\.name))
        constraints += added.constraints
        // A primary key has an index of its own.
        let isKey = definition.constraints.contains { constraint in
          if case .primaryKey(let range, _) = constraint {
            range == number..<number + 1
          } else {
            false
          }
        }
        if let index = added.index, !isKey { indexes.append(index) }
      case .literal(let sql):
        parts.append(.literal(sql))
        columns.append([])
      }
    }
    // Constraints declared apart from the columns keep the order of their declaration.
    constraints =
      definition.constraints.map { constraint in
        switch constraint {
        case .constraint(let constraint): constraint
        case .primaryKey(let range, let conflict):
          .primaryKey(columns[range].joined().map { Column($0).sqlOrdering }, conflict)
        }
      } + constraints
    guard !parts.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "the table \(definition.name) has no columns"
      )
    }
    try resolve(&keys)
  }

  /// Chooses the types of large integers, resolves the references of foreign keys, and adds
  /// `NOT NULL` where the primary key needs it.
  private mutating func resolve(_ keys: inout ParentKeys) throws {
    let isStrict = options.contains(.strict)
    let names = primaryKey.map(\.name)
    let rowID = names.count == 1 && !options.contains(.withoutRowID) ? names[0] : nil
    let integerKeys = constraints.reduce(into: rowID.map { [$0] } ?? []) { names, constraint in
      if case .foreignKey(let columns, _) = constraint { names += columns }
    }
    parts = parts.map { part in
      guard case .column(let column) = part else { return part }
      let isKey = integerKeys.contains { column.name.isSameName(as: $0) }
      return .column(column.keepingLargeIntegers(isKey: isKey, isStrict: isStrict))
    }
    keys.ownKey = primaryKey
    parts = try parts.map { part in
      guard case .column(let column) = part else { return part }
      return .column(try column.resolved(keys, key: names, isStrict: isStrict))
    }
    constraints = try constraints.map { constraint in
      guard case .foreignKey(let columns, let clause) = constraint else { return constraint }
      return .foreignKey(columns, try clause.resolved(keys, from: columns))
    }
  }

  /// The columns of the primary key in this definition.
  private var primaryKey: [ParentKeys.Column] {
    let columns = parts.compactMap { part in
      if case .column(let column) = part { column } else { nil }
    }
    if let column = columns.first(where: { $0.primaryKey != nil }) {
      return [ParentKeys.Column(name: column.name, type: column.type)]
    }
    return (constraints.lazy.compactMap(\.keyColumns).first ?? []).map { name in
      let column = columns.first { $0.name.asciiLowercased == name.asciiLowercased }
      return ParentKeys.Column(name: name, type: column?.type)
    }
  }

  /// Whether ids of deleted rows are never reused.
  var isAutoincremented: Bool {
    parts.contains { part in
      if case .column(let column) = part {
        column.primaryKey?.isAutoincremented == true
      } else {
        false
      }
    }
  }

  /// Writes the statement that creates the table in the given database, or in the database that the
  /// options select.
  func write(to context: inout SQLContext, name: String, schema: String? = nil) throws {
    context.append("CREATE ")
    if options.contains(.temporary), schema == nil { context.append("TEMPORARY ") }
    context.append("TABLE ")
    if options.contains(.ifNotExists) { context.append("IF NOT EXISTS ") }
    if let schema { context.append("\(schema.quotedDatabaseIdentifier).") }
    context.append(identifier: name)
    context.append(" (")
    for (index, part) in parts.enumerated() {
      if index > 0 { context.append(", ") }
      switch part {
      case .column(let column): try column.write(to: &context)
      case .literal(let sql): try context.append(sql)
      }
    }
    for constraint in constraints {
      context.append(", ")
      try constraint.write(to: &context)
    }
    context.append(")")
    var suffixes: [String] = []
    if options.contains(.strict) { suffixes.append("STRICT") }
    if options.contains(.withoutRowID) { suffixes.append("WITHOUT ROWID") }
    if !suffixes.isEmpty { context.append(" \(suffixes.joined(separator: ", "))") }
  }
}

extension TableDefinition {
  /// The primary key, without columns that refer to another table. Columns that refer to this same
  /// table need it.
  fileprivate var ownKey: [ParentKeys.Column] {
    func columns(_ elements: some Sequence<Element>) -> [ColumnClause] {
      elements.compactMap { if case .column(let column) = $0 { column.clause } else { nil } }
    }
    let all = columns(elements)
    var key = all.filter { $0.primaryKey != nil }
    for constraint in constraints where key.isEmpty {
      switch constraint {
      case .constraint(let constraint):
        key = (constraint.keyColumns ?? []).compactMap { name in
          all.first { $0.name.asciiLowercased == name.asciiLowercased }
        }
      case .primaryKey(let range, _):
        key = columns(elements[range])
      }
    }
    let isRowID = key.count == 1 && !options.contains(.withoutRowID)
    return key.map { column in
      let isStrict = options.contains(.strict)
      let column = column.keepingLargeIntegers(isKey: isRowID, isStrict: isStrict)
      return ParentKeys.Column(name: column.name, type: column.type)
    }
  }
}
