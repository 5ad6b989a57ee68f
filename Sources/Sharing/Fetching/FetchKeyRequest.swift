/// A request for a value that one or several queries produce.
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
/// All queries of a request see one state of the database. Equal requests share one observation, so
/// everything that the result depends on must be a property of the request.
public protocol FetchKeyRequest<Value>: ObservationRequest {}
