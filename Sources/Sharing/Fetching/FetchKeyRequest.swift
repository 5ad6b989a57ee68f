/// A request for a value, made of one query or of several.
///
///     struct Stock: FetchKeyRequest {
///       struct Value: Sendable {
///         var items: [Item] = []
///         var count = 0
///       }
///       func fetch(_ db: Database) throws -> Value {
///         Value(
///           items: try Item.fetchAll(db, sql: "SELECT * FROM item WHERE inStock"),
///           count: try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
///         )
///       }
///     }
///     @SharedReader(.fetch(Stock())) var stock = Stock.Value()
///
/// All of its queries see one state of the database. Equal requests are one: what makes a request
/// different from another belongs into its properties.
public protocol FetchKeyRequest<Value>: ObservationRequest {}
