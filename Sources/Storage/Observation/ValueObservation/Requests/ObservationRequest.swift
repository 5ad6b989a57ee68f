/// What an observation fetches, as a value: equal requests to one database are one observation,
/// however many follow it.
///
///     struct StockRequest: ObservationRequest {
///       var warehouse: Int64
///       func fetch(_ db: Database) throws -> Int {
///         let sql = "SELECT sum(amount) FROM stock WHERE warehouseId = ?"
///         return try Int.fetchOne(db, sql: sql, arguments: [warehouse]) ?? 0
///       }
///     }
///     let observation = ValueObservation.tracking(StockRequest(warehouse: 1))
///
/// All of its queries see one state of the database. What makes a request different from another
/// belongs into its properties.
public protocol ObservationRequest<Value>: Hashable, Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// Reads the database, and nothing else that changes.
  func fetch(_ db: Database) throws -> Value
}
