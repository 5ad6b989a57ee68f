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
/// An extension adds columns, and those that have another name or type than the property:
///
///     struct Mug: Codable, FetchableRecord, PersistableRecord {
///       var id: Int64
///       var price: Double
///     }
///     extension PropertyColumns<Mug> {
///       static var stock: TypedColumn<Int> { TypedColumn("stock") }
///     }
///     Mug.filter { $0.price < 20 && $0.stock > 0 }
///     // SELECT * FROM "mug" WHERE ("price" < 20.0) AND ("stock" > 0)
///
/// A `Columns` type in the record replaces this type. See ``RecordColumns`` for which name a column
/// has, and for properties that have no column.
public enum PropertyColumns<Record>: RecordColumns {}
