/// Columns of a record type that are found by its properties, beside the declared columns.
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
/// The name of the column is the name of the property's coding key, converted by
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

/// The columns of a record type that declares none: its stored properties.
///
/// Closures and key paths find each stored property of a `Decodable` record, in its type:
///
///     struct Book: Codable, FetchableRecord, PersistableRecord {
///       var id: Int64
///       var title: String
///       var price: Double?
///     }
///     Book.filter { $0.price < 20 && $0.title != "" }.order(\.title.desc)
///     // SELECT * FROM "book" WHERE ("price" < 20.0) AND ("title" <> '') ORDER BY "title" DESC
///
/// A `Columns` type in the record replaces this type. A type that conforms to ``RecordColumns``
/// adds columns to the properties, also columns with another name or type than the property. See
/// there for the names of columns, and for properties that have no column.
public enum PropertyColumns<Record>: RecordColumns {}

/// The names of columns that are not known. Such a name is not valid in SQL, and holds the message
/// of the error with which a statement fails.
enum UnknownColumn {
  // SQL text ends at a NUL, so no table has a column with this name.
  private static let mark: Character = "\0"

  /// Returns a name that holds a message.
  static func name(_ message: String) -> String { "\(mark)\(message)\(mark)" }

  /// Returns the error that a column, or an SQL text with columns, represents.
  static func error(in text: String) -> DatabaseError? {
    guard text.utf8.contains(0), let start = text.firstIndex(of: mark) else { return nil }
    let rest = text[text.index(after: start)...]
    guard let end = rest.firstIndex(of: mark) else { return nil }
    return DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: rest[..<end].split(separator: "\"\"").joined(separator: "\"")
    )
  }
}
