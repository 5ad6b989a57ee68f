import Storage

/// The types of the random tables. Their rows are read as rows.
protocol RandomMember: TableRecord, SendableMetatype {}

struct RandomMember0: RandomMember { static let databaseTableName = "t0" }
struct RandomMember1: RandomMember { static let databaseTableName = "t1" }
struct RandomMember2: RandomMember { static let databaseTableName = "t2" }
struct RandomMember3: RandomMember { static let databaseTableName = "t3" }
struct RandomMember4: RandomMember { static let databaseTableName = "t4" }

private let members: [any RandomMember.Type] = [
  RandomMember0.self, RandomMember1.self, RandomMember2.self, RandomMember3.self,
  RandomMember4.self,
]

extension RandomAssociationTree {
  /// Returns the request of all rows with the associations of the tree.
  func rows(_ db: Database) throws -> [Row] {
    try Self.rows(of: members[table], self, db)
  }

  private static func rows<Member: RandomMember>(
    of type: Member.Type,
    _ tree: RandomAssociationTree,
    _ db: Database
  ) throws -> [Row] {
    let request = tree.added(to: Member.order(Column("n")), of: type)
    return try Row.fetchAll(db, request.asRequest(of: Row.self))
  }

  /// Returns a request with the associations of the tree.
  private func added<Request: DerivableRequest, Member: RandomMember>(
    to request: Request,
    of type: Member.Type
  ) -> Request where Request.RowDecoder == Member {
    let aggregated = aggregates.reduce(request) { request, aggregate in
      aggregate.added(to: request, of: type, in: members)
    }
    return branches.reduce(aggregated) { request, branch in
      func add<Destination: RandomMember>(_ destination: Destination.Type) -> Request {
        branch.added(to: request, of: type, destination)
      }
      return add(members[branch.destination])
    }
  }
}

extension RandomAssociationTree.Branch {
  fileprivate func added<Request: DerivableRequest, Origin: RandomMember, End: RandomMember>(
    to request: Request,
    of type: Origin.Type,
    _ end: End.Type
  ) -> Request where Request.RowDecoder == Origin {
    guard steps.count == 2 else {
      let step = steps[0]
      switch (step.isReference, step.isToOne) {
      case (true, _):
        return join(Origin.belongsTo(end, key: name, using: step.foreignKey), to: request)
      case (false, true):
        return join(Origin.hasOne(end, key: name, using: step.foreignKey), to: request)
      case (false, false):
        return include(Origin.hasMany(end, key: name, using: step.foreignKey), to: request)
      }
    }
    func through<Pivot: RandomMember>(_ pivot: Pivot.Type) -> Request {
      addedThrough(pivot, to: request, of: type, end)
    }
    return through(members[steps[0].destination])
  }

  private func addedThrough<
    Request: DerivableRequest,
    Origin: RandomMember,
    Pivot: RandomMember,
    End: RandomMember
  >(
    _ pivot: Pivot.Type,
    to request: Request,
    of type: Origin.Type,
    _ end: End.Type
  ) -> Request where Request.RowDecoder == Origin {
    // The names of the tables between do not appear in rows.
    func second<First: Association>(_ first: First) -> Request
    where First.OriginRowDecoder == Origin, First.RowDecoder == Pivot {
      let key = steps[1].foreignKey
      if steps[1].isReference {
        return through(first, Pivot.belongsTo(end, key: "x", using: key), to: request)
      } else if steps[1].isToOne {
        return through(first, Pivot.hasOne(end, key: "x", using: key), to: request)
      }
      return through(first, Pivot.hasMany(end, key: "x", using: key), to: request)
    }
    let key = steps[0].foreignKey
    let between = "between\(name)"
    if steps[0].isReference {
      return second(Origin.belongsTo(pivot, key: between, using: key))
    } else if steps[0].isToOne {
      return second(Origin.hasOne(pivot, key: between, using: key))
    }
    return second(Origin.hasMany(pivot, key: between, using: key))
  }

  private func through<Request: DerivableRequest, First: Association, Second: Association>(
    _ first: First,
    _ second: Second,
    to request: Request
  ) -> Request
  where
    First.OriginRowDecoder == Request.RowDecoder, Second.OriginRowDecoder == First.RowDecoder,
    First.OriginRowDecoder: RandomMember, Second.RowDecoder: RandomMember
  {
    let origin = First.OriginRowDecoder.self
    let end = Second.RowDecoder.self
    guard role != .all else {
      return include(origin.hasMany(end, through: first, using: second, key: name), to: request)
    }
    guard let first = first as? any AssociationToOne<First.OriginRowDecoder, First.RowDecoder>,
      let second = second as? any AssociationToOne<Second.OriginRowDecoder, Second.RowDecoder>
    else { fatalError("Only associations with one row are joined.") }
    return joinThrough(first, second, to: request)
  }

  private func joinThrough<Request: DerivableRequest, First, Second>(
    _ first: First,
    _ second: Second,
    to request: Request
  ) -> Request
  where
    First: AssociationToOne, Second: AssociationToOne,
    First.OriginRowDecoder == Request.RowDecoder, Second.OriginRowDecoder == First.RowDecoder,
    First.OriginRowDecoder: RandomMember, Second.RowDecoder: RandomMember
  {
    join(
      First.OriginRowDecoder.hasOne(
        Second.RowDecoder.self,
        through: first,
        using: second,
        key: name
      ),
      to: request
    )
  }

  /// Joins an association with at most one row.
  private func join<Request: DerivableRequest, Joined: Association>(
    _ association: Joined,
    to request: Request
  ) -> Request
  where Joined.OriginRowDecoder == Request.RowDecoder, Joined.RowDecoder: RandomMember {
    let refined = refined(association)
    return role == .required
      ? request.including(required: refined) : request.including(optional: refined)
  }

  private func include<Request: DerivableRequest, Included: AssociationToMany>(
    _ association: Included,
    to request: Request
  ) -> Request
  where Included.OriginRowDecoder == Request.RowDecoder, Included.RowDecoder: RandomMember {
    var refined = refined(association)
    refined = refined.order(isDescending ? Column("n").desc : Column("n").asc)
    if let limit { refined = refined.limit(limit) }
    return request.including(all: refined)
  }

  private func refined<Refined: Association>(_ association: Refined) -> Refined
  where Refined.RowDecoder: RandomMember {
    var refined = association
    if let minimum { refined = refined.filter(Column("v") >= minimum) }
    if let selection {
      refined = refined.select((["n"] + selection.filter { $0 != "n" }).map { Column($0) })
    }
    return tree.added(to: refined, of: Refined.RowDecoder.self)
  }
}

extension RandomAssociationTree.Step {
  var foreignKey: ForeignKey {
    isReference
      ? ForeignKey(columns.map(\.own), to: columns.map(\.associated))
      : ForeignKey(columns.map(\.associated), to: columns.map(\.own))
  }
}
