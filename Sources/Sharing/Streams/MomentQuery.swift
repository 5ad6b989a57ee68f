/// The query of a ``FetchKey``, identified by the key's `id`.
struct MomentQuery: Hashable, Sendable {
  let id: FetchKeyID
  let database: any DatabaseReader
  let fetch: @Sendable (Database) throws -> any Sendable

  static func == (left: MomentQuery, right: MomentQuery) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
