// The record of the typed predicates, with a list of its columns.
import Foundation
import Storage

struct TypedOrder: TableRecord {
  enum Columns {
    static let id = TypedColumn<Int>("id")
    static let customerID = TypedColumn<Int>("customerID")
    static let quantity = TypedColumn<Int>("quantity")
    static let priority = TypedColumn<Int>("priority")
    static let stock = TypedColumn<Int>("stock")
    static let price = TypedColumn<Double>("price")
    static let discount = TypedColumn<Double>("discount")
    static let weight = TypedColumn<Double>("weight")
    static let city = TypedColumn<String>("city")
    static let country = TypedColumn<String>("country")
    static let code = TypedColumn<String>("code")
    static let name = TypedColumn<String>("name")
    static let shippedAt = TypedColumn<Date?>("shippedAt")
    static let deletedAt = TypedColumn<Date?>("deletedAt")
    static let note = TypedColumn<String?>("note")
    static let email = TypedColumn<String?>("email")
    static let isPaid = TypedColumn<Bool>("isPaid")
    static let isGift = TypedColumn<Bool>("isGift")
    static let isLocked = TypedColumn<Bool>("isLocked")
    static let createdAt = TypedColumn<Date>("createdAt")
    static let dueAt = TypedColumn<Date>("dueAt")
  }
}
