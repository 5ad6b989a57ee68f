/// Looks up the primary keys that the foreign keys of a table refer to.
struct ParentKeys {
  /// A column of a primary key.
  struct Column {
    let name: String
    let type: Database.ColumnType?
  }

  let db: Database
  /// The table that declares the foreign keys.
  let table: String
  /// The primary key of that table while the schema does not contain it yet.
  var ownKey: [Column]?

  /// Returns the primary key of a parent table.
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist, or declares no primary key.
  func key(of parent: String, from children: [String]) throws -> [Column] {
    let key: [Column]
    if let ownKey, isOwn(parent) {
      key = ownKey
    } else {
      guard try db.tableExists(parent) else {
        throw error(
          children,
          "no such table: \(parent): create it first, or name the referenced columns"
        )
      }
      let names = try db.primaryKey(parent)
      let columns = try db.columns(in: parent)
      key =
        names.isHidden
        ? []
        : names.columns.map { name in
          let type = columns.first { $0.is(name) }?.type ?? ""
          return Column(
            name: name,
            type: type.isEmpty ? nil : Database.ColumnType(rawValue: type)
          )
        }
    }
    guard !key.isEmpty else {
      throw error(
        children,
        "\(parent) has no primary key: declare one, or reference unique columns by name"
      )
    }
    return key
  }

  /// Returns the table that a name refers to: the table of that name, or of its plural.
  ///
  /// - Throws: ``DatabaseError`` when neither exists.
  func table(for name: String) throws -> String {
    for candidate in [name] + name.plurals
    where try isOwn(candidate) || db.tableExists(candidate) {
      return candidate
    }
    throw error([name], "no such table: \(name): create it first, or name another table in inTable")
  }

  private func isOwn(_ name: String) -> Bool {
    ownKey != nil && name.asciiLowercased == table.asciiLowercased
  }

  /// Returns an error that names the foreign key.
  func error(_ children: [String], _ message: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "foreign key \(table)(\(children.joined(separator: ", "))): \(message)"
    )
  }
}

extension String {
  /// The plurals that an English noun, or a name that ends with one, may have. Only some exist.
  fileprivate var plurals: [String] {
    let irregular: [(String, String)] = [
      ("person", "people"), ("man", "men"), ("child", "children"), ("foot", "feet"),
      ("tooth", "teeth"), ("goose", "geese"), ("mouse", "mice"), ("ox", "oxen"),
      ("quiz", "quizzes"),
    ]
    let endings: [(String, String)] = [
      ("y", "ies"), ("fe", "ves"), ("f", "ves"), ("is", "es"), ("us", "i"), ("um", "a"),
      ("ix", "ices"), ("ex", "ices"), ("on", "a"),
    ]
    let changed = (irregular + endings).compactMap { ending, plural -> String? in
      guard asciiLowercased.hasSuffix(ending) else { return nil }
      // The first letter of a changed word keeps its case: `salesPerson`, `salesPeople`.
      let word = suffix(ending.count)
      let isCapitalized = word.first?.isUppercase == true
      return dropLast(ending.count)
        + (isCapitalized ? plural.prefix(1).uppercased() + plural.dropFirst() : plural)
    }
    return changed + [self + "s", self + "es"]
  }
}
