/// Columns of a record type that are found by its properties, beside those that are declared.
///
///     struct Mug: Codable, FetchableRecord, PersistableRecord {
///       var id: Int64
///       var name: String
///       var size: Double
///
///       enum Columns: RecordColumns {
///         typealias Record = Mug
///         static let size = TypedColumn<Double>("litres")
///       }
///     }
///     Mug.filter { $0.size > 0.3 }.order(\.name)
///     // SELECT * FROM "mug" WHERE "litres" > 0.3 ORDER BY "name"
///
/// A record that declares no `Columns` has ``PropertyColumns``, which conform to this protocol.
///
/// A column has the type of its property. A property that a column can hold only as JSON has no
/// operators, but keys: `$0.address["city"]`. Declare an enum with raw values as
/// ``DatabaseValueConvertible``, so that its columns have operators.
///
/// The name of the column is that of the property's coding key, converted by
/// ``EncodableRecord/databaseColumnEncodingStrategy``, or by
/// ``FetchableRecord/databaseColumnDecodingStrategy`` if the record is only read.
///
/// Some properties have no column that can be found: computed ones, those with a wrapper or with
/// observers (`didSet`), `lazy` ones, properties of a class that are neither `final` nor in a
/// `final` class, and properties without a coding key. A request that uses one throws
/// ``DatabaseError`` with `SQLITE_MISUSE` when it is prepared. So does one that uses a property of
/// a record that implements `init(from:)` without an enum of coding keys. Declare the column then.
/// Declare it too if `init(from:)`, `init(row:)` or `encode(to:)` of the record stores a property
/// under another name, or as a value of another type: no error reports that.
@dynamicMemberLookup
public protocol RecordColumns {
  /// The record type.
  associatedtype Record
}

extension RecordColumns where Record: Decodable {
  /// The column of a property.
  ///
  ///     Player.Columns.score > 10
  ///     // "score" > 10
  public static subscript<Value>(
    dynamicMember property: KeyPath<Record, Value>
  ) -> TypedColumn<Value> {
    RecordProperties.column(of: property)
  }
}
