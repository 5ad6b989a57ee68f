/// A connection of a record type with the rows of another table.
///
///     struct Player: TableRecord {
///       static let team = belongsTo(Team.self)
///     }
///     struct Team: TableRecord {
///       static let players = hasMany(Player.self)
///     }
///     Player.including(required: Player.team)
///     // SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
///
/// The columns that connect the tables come from the foreign keys of the schema, when a request is
/// written. An association is refined like a request: filtered, sorted, and with associations of
/// its own.
public protocol Association<OriginRowDecoder, RowDecoder>: DerivableRequest, Hashable, Sendable {
  /// The type of the rows that have associated rows.
  associatedtype OriginRowDecoder

  /// The tables that lead to the associated rows.
  var path: AssociationPath { get set }
}

extension Association {
  /// The associated rows, as a query.
  public var selectStatement: SelectStatement {
    get { path.destination }
    set { path.destination = newValue }
  }

  /// Names the association. Associated rows are decoded into the property of this name.
  ///
  ///     Book.including(required: Book.person.forKey("author"))
  ///     // row.scopes["author"]
  ///
  /// The name of an association with several rows is a plural. Where one row of it is joined, the
  /// row has the name in the singular:
  ///
  ///     Team.including(all: Team.players.forKey("strikers"))
  ///     // row.prefetchedRows["strikers"]
  ///     Team.including(required: Team.players.forKey("strikers"))
  ///     // row.scopes["striker"]
  public func forKey(_ name: String) -> Self {
    let isToMany = self is any AssociationToMany
    return changed { $0.path.key = isToMany ? .plural(name) : .singular(name) }
  }

  /// Names the association after a coding key.
  ///
  ///     Book.including(required: Book.person.forKey(BookInfo.CodingKeys.author))
  ///     // row.scopes["author"]
  public func forKey(_ key: some CodingKey) -> Self { forKey(key.stringValue) }
}

/// An association with at most one row: `belongsTo`, `hasOne`.
public protocol AssociationToOne<OriginRowDecoder, RowDecoder>: Association {}

/// An association with any number of rows: `hasMany`.
public protocol AssociationToMany<OriginRowDecoder, RowDecoder>: Association {}

// First mistakes with associations: these members do not compile, and name the correct code.

extension DerivableRequest {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "Include the one row of this association by including(required:) or (optional:)."
  )
  public func including<A: AssociationToOne>(all association: A) -> Self
  where A.OriginRowDecoder == RowDecoder {
    self
  }
}

extension TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *,
    unavailable,
    message: "Include the one row of this association by including(required:) or (optional:)."
  )
  public static func including<A: AssociationToOne>(
    all association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all()
  }
}
