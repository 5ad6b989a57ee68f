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
/// A `Columns` type in the record replaces this type. One that conforms to ``RecordColumns`` adds
/// columns to the properties, and those that have another name or type than the property. See there
/// for which name a column has, and for properties that have no column.
public enum PropertyColumns<Record>: RecordColumns {}
