// The record of the typed predicates, without a list of its columns.
import Foundation
import Storage

struct TypedOrder: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var customerID: Int
  var quantity: Int
  var priority: Int
  var stock: Int
  var price: Double
  var discount: Double
  var weight: Double
  var city: String
  var country: String
  var code: String
  var name: String
  var shippedAt: Date?
  var deletedAt: Date?
  var note: String?
  var email: String?
  var isPaid: Bool
  var isGift: Bool
  var isLocked: Bool
  var createdAt: Date
  var dueAt: Date
}
