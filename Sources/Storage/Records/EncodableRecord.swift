public import FoundationEssentials

/// A type whose values can be stored in the columns of a row.
///
/// An `Encodable` type gets the implementation for free: each coding key names a column. Other
/// types implement `encode(to:)`.
public protocol EncodableRecord {
  /// Sets the columns and values to store.
  ///
  /// It may be called several times for one record and must set the same columns each time.
  func encode(to container: inout PersistenceContainer) throws

  /// The encoder's `userInfo` for an `Encodable` record.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// How the coding keys of an `Encodable` record are converted to column names.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }

  /// Returns how a `Date` property of an `Encodable` record is stored in a column.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// Returns how a `Data` property of an `Encodable` record is stored in a column.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// Returns how a `UUID` property of an `Encodable` record is stored in a column.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// Returns the encoder for a property of an `Encodable` record that a column can hold only as
  /// JSON.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder
}

extension EncodableRecord where Self: Encodable {
  /// Encodes each coding key into the column of that name. Properties that a column cannot hold,
  /// such as arrays, are stored as JSON text.
  ///
  /// - Throws: `EncodingError` when the type does not encode itself into a keyed container.
  public func encode(to container: inout PersistenceContainer) throws {
    let encoder = RecordEncoder.taken(from: container.plan, for: Self.self)
    let plan = container.plan
    encoder.target.begin(&container)
    defer {
      encoder.target.end(&container)
      plan?.encoder = encoder
    }
    try encode(to: encoder)
  }
}

extension EncodableRecord {
  /// Returns the columns whose values differ from another record, with the values of the other
  /// record.
  ///
  ///     let old = try mug.databaseChanges(from: cup)  // ["name": 'cup']
  ///
  /// - Throws: The errors of encoding.
  public func databaseChanges(from record: Self) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Returns the columns whose values differ from a record of another type, with the values of the
  /// other record: NULL for a column that it does not have.
  ///
  ///     let old = try player.databaseChanges(from: PartialPlayer(name: "Arthur"))
  ///
  /// - Throws: The errors of encoding.
  @_disfavoredOverload
  public func databaseChanges(from record: some EncodableRecord) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Returns whether the record stores the same values as another record; `false` when a record
  /// cannot be encoded.
  public func databaseEquals(_ record: Self) -> Bool {
    (try? databaseChanges(from: record))?.isEmpty ?? false
  }

  /// Modifies the record, and returns the columns that have changed, with their old values.
  ///
  ///     let old = try player.databaseChanges { $0.score += 100 }  // ["score": 900]
  ///
  /// - Throws: The errors of encoding and of the closure.
  public mutating func databaseChanges(
    modify: (inout Self) throws -> Void
  ) throws -> [String: DatabaseValue] {
    // A copy of the record would not do: if the record is an object, the copy would change too.
    let old = try PersistenceContainer(self)
    try modify(&self)
    return try PersistenceContainer(self).changes(from: old)
  }

  /// The columns that the record stores, with their values.
  ///
  ///     let values = try cup.databaseDictionary  // ["id": 1, "name": 'cup']
  ///
  /// - Throws: The errors of encoding.
  public var databaseDictionary: [String: DatabaseValue] {
    get throws {
      let container = try PersistenceContainer(self)
      return Dictionary(zip(container.columns, container.values)) { $1 }
    }
  }
}

extension Row {
  /// Creates a row from the columns that a record stores.
  ///
  ///     let row = try Row(cup)  // [id:1 name:'cup']
  ///
  /// - Throws: The errors of encoding.
  public convenience init(_ record: some EncodableRecord) throws {
    let container = try PersistenceContainer(record)
    self.init(layout: RowLayout(columnNames: container.columns), values: container.values)
  }
}

/// The protocols of most records: a value with an `id` that is read from a table, and written to
/// it.
///
///     struct Cup: DatabaseRecord {
///       var id: Int64
///       var name: String
///     }
///     try Cup(id: 1, name: "blue").insert(db)
///     // INSERT INTO "cup" ("id", "name") VALUES (1, 'blue')
///     let cups = try Cup.filter { $0.name == "blue" }.fetchAll(db)
///     // SELECT * FROM "cup" WHERE "name" = 'blue'
///
/// A record that receives its `id` from the database is a ``MutableDatabaseRecord``: a
/// `mutating func didInsert` is never called here. Name the protocols one by one where one of them
/// does not apply, such as for a record without an `id`, or a record that is only read.
public typealias DatabaseRecord =
  Codable & Equatable & Identifiable & Sendable & FetchableRecord & PersistableRecord

/// A ``DatabaseRecord`` that receives its `id` when it is inserted.
///
///     struct Jug: MutableDatabaseRecord {
///       var id: Int64?
///       var name: String
///
///       mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
///     }
///     var jug = Jug(name: "white")
///     try jug.insert(db)
///     // INSERT INTO "jug" ("id", "name") VALUES (NULL, 'white')
///     jug.id  // 1
public typealias MutableDatabaseRecord =
  Codable & Equatable & Identifiable & Sendable & FetchableRecord & MutablePersistableRecord
