/// What an observation fetches, as a value: observations of equal requests to one database share
/// one query, however many there are.
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
/// All of its queries see one state of the database. Everything that makes one request different
/// from another belongs in its properties.
public protocol ObservationRequest<Value>: Hashable, Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// Reads the database, and nothing else that can change.
  func fetch(_ db: Database) throws -> Value
}
