// Realistic predicates: up to ten terms, optionals, mixed literals, variables of all types.
// Scripts/predicates.sh fails if the compiler takes more than 100 ms to type-check one of them.
import Foundation
import Storage

struct Order: TableRecord {
  enum Columns {
    static let id = Column("id")
    static let customerID = Column("customerID")
    static let quantity = Column("quantity")
    static let priority = Column("priority")
    static let stock = Column("stock")
    static let price = Column("price")
    static let discount = Column("discount")
    static let weight = Column("weight")
    static let city = Column("city")
    static let country = Column("country")
    static let code = Column("code")
    static let name = Column("name")
    static let shippedAt = Column("shippedAt")
    static let deletedAt = Column("deletedAt")
    static let note = Column("note")
    static let email = Column("email")
    static let isPaid = Column("isPaid")
    static let isGift = Column("isGift")
    static let isLocked = Column("isLocked")
    static let createdAt = Column("createdAt")
    static let dueAt = Column("dueAt")
  }
}

func orders0(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    minimum < $0.priority
      && $0.email == email
      && $0.email != nil
      && ($0.name != "open" && length($0.name) > 14)
      || (length($0.country) > 19 && $0.id >= minimum)
        && (!$0.isLocked || [1, 2, 56].contains($0.stock))
        && ($0.email == email || ($0.quantity % 2) == 0)
        && $0.name == "open"
      || $0.code == "closed"
      || $0.id + $0.quantity < 71
  }
  _ = Order.filter {
    $0.city.like("%open%")
      && ($0.city == "Rome" && ($0.quantity % 2) == 0)
      && $0.name.like("%Oslo%")
  }
  _ = Order.filter {
    $0.discount * 1.2 + 3 > 11.5
      && [1, 2, 1].contains($0.priority)
      && $0.deletedAt == nil
      && $0.priority >= minimum
      && minimum < $0.customerID
  }
  _ = Order.filter {
    $0.email == nil
      || $0.city.like("%x-12%")
        && $0.quantity == 885
      || ($0.id + $0.quantity < 215 && $0.customerID >= minimum)
        && ($0.dueAt < $0.dueAt || $0.priority + $0.quantity < 75)
  }
  _ = Order.filter {
    $0.country == "US"
      && length($0.code) > 11
      && ($0.name ?? "none") == word
  }
  _ = Order.filter {
    $0.country.like("%FR%")
      && (!$0.isLocked && $0.deletedAt != nil)
      || $0.name.like("%Oslo%")
        && ($0.city != "open" || $0.discount * 1.2 + 3 > 76.5)
  }
  _ = Order.filter {
    $0.stock + $0.quantity < 179
      || $0.country == "US"
      || (length($0.city) > 8 && $0.id == 275)
        && ($0.createdAt < $0.dueAt && $0.quantity + $0.quantity < 543)
      || $0.shippedAt == nil
        && [1, 2, 84].contains($0.stock)
        && ($0.city ?? "none") == word
        && (4...14).contains($0.id)
        && (($0.quantity % 2) == 0 || [1, 2, 17].contains($0.id))
        && $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    [1, 2, 45].contains($0.id)
      || ($0.quantity % 2) == 0
        && ($0.priority == 586 || $0.city.like("%Oslo%"))
        && $0.city == "open"
  }
  _ = Order.filter {
    $0.name.like("%Anna%")
      && minimum < $0.id
      || ($0.quantity == 615 && !$0.isLocked)
        && ($0.quantity % 2) == 0
      || ($0.quantity % 2) == 0
        && ((4...28).contains($0.stock) && [1, 2, 84].contains($0.priority))
        && !$0.isGift
  }
  _ = Order.filter {
    $0.isLocked
      && $0.isPaid
      || ([1, 2, 26].contains($0.customerID) || $0.id >= minimum)
        && $0.shippedAt != nil
        && $0.isGift
      || ($0.quantity % 2) == 0
  }
}

func orders10(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    [1, 2, 9].contains($0.id)
      && length($0.city) > 21
      || ((4...93).contains($0.stock) && $0.name.like("%US%"))
        && $0.price * 1.2 + 3 > 18.5
      || $0.name != "Oslo"
      || ((1...97).contains($0.customerID) || $0.price * 1.2 + 3 > 1.5)
        && (minimum < $0.id || (8...76).contains($0.stock))
      || $0.email != nil
      || !$0.isPaid
      || $0.country.like("%Anna%")
  }
  _ = Order.filter {
    $0.code.like("%Anna%")
      && $0.isPaid
  }
  _ = Order.filter {
    $0.isPaid
      && $0.code == "closed"
      || ($0.quantity == 516 || [1, 2, 70].contains($0.priority))
  }
  _ = Order.filter {
    ($0.quantity % 2) == 0
      && $0.isPaid
      && $0.note != nil
      && (($0.quantity % 2) == 0 || ($0.quantity % 2) == 0)
      || $0.country == "Anna"
        && minimum < $0.customerID
  }
  _ = Order.filter {
    $0.discount * 1.2 + 3 > 85.5
      && length($0.country) > 9
      || $0.email == email
        && $0.isGift
      || ($0.stock == 386 && $0.email == email)
        && (minimum < $0.stock && $0.shippedAt != nil)
      || $0.dueAt < $0.dueAt
        && $0.price * 1.2 + 3 > 60.5
        && $0.dueAt <= now
        && $0.isGift
  }
  _ = Order.filter {
    $0.shippedAt == nil
      && ($0.isPaid || [1, 2, 45].contains($0.customerID))
      || (($0.quantity % 2) == 0 && $0.email == email)
      || $0.weight * 1.2 + 3 > 25.5
        && $0.priority == 648
      || (length($0.country) > 17 && $0.email == email)
  }
  _ = Order.filter {
    minimum < $0.stock
      || $0.deletedAt == nil
      || (2...50).contains($0.stock)
        && $0.isPaid
        && !$0.isPaid
  }
  _ = Order.filter {
    $0.city.like("%x-12%")
      && (minimum < $0.customerID && $0.country != "closed")
      && $0.code != "US"
      && $0.city != "Rome"
      || $0.email == email
        && ($0.deletedAt == nil && $0.deletedAt != nil)
  }
  _ = Order.filter {
    $0.city != "FR"
      || $0.createdAt < $0.dueAt
        && $0.name.like("%x-12%")
        && $0.isLocked
      || ($0.customerID >= minimum || (5...61).contains($0.customerID))
      || $0.shippedAt != nil
  }
  _ = Order.filter {
    [1, 2, 10].contains($0.priority)
      || length($0.country) > 16
  }
}

func orders20(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.discount * 1.2 + 3 > 14.5
      || ($0.email != nil || minimum < $0.quantity)
        && ($0.email != nil && $0.code == "open")
        && $0.city != "closed"
      || $0.customerID >= minimum
      || $0.quantity + $0.quantity < 221
      || $0.shippedAt != nil
  }
  _ = Order.filter {
    $0.isLocked
      && $0.city.like("%Oslo%")
      || !$0.isGift
      || $0.customerID >= minimum
        && $0.code != "open"
        && minimum < $0.stock
      || ($0.city ?? "none") == word
      || $0.city == "x-12"
        && $0.name.like("%FR%")
      || length($0.city) > 13
  }
  _ = Order.filter {
    $0.stock + $0.quantity < 408
      || $0.quantity + $0.quantity < 543
      || $0.weight * 1.2 + 3 > 36.5
      || $0.id + $0.quantity < 14
      || $0.customerID >= minimum
      || $0.city.like("%closed%")
        && (($0.code ?? "none") == word && $0.dueAt <= now)
        && !$0.isPaid
  }
  _ = Order.filter {
    $0.deletedAt == nil
      || $0.city != "x-12"
        && $0.quantity >= minimum
        && (7...27).contains($0.priority)
        && ($0.name ?? "none") == word
      || $0.email == email
        && $0.customerID + $0.quantity < 244
      || $0.stock + $0.quantity < 639
        && $0.weight * 1.2 + 3 > 87.5
      || ($0.country ?? "none") == word
  }
  _ = Order.filter {
    $0.isPaid
      || ($0.isLocked && $0.quantity == 265)
        && ($0.stock == 38 || $0.city == "FR")
      || !$0.isLocked
        && ($0.quantity % 2) == 0
  }
  _ = Order.filter {
    [1, 2, 63].contains($0.customerID)
      && $0.name != "US"
      || $0.discount * 1.2 + 3 > 19.5
      || length($0.code) > 9
      || $0.email != nil
      || ($0.name != "closed" && $0.dueAt <= now)
      || $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    $0.code == "US"
      || length($0.city) > 22
  }
  _ = Order.filter {
    $0.customerID + $0.quantity < 224
      && [1, 2, 46].contains($0.id)
      && ($0.code ?? "none") == word
      && ($0.dueAt < $0.dueAt && $0.code == "closed")
      && (6...84).contains($0.priority)
      || ($0.code ?? "none") == word
      || ($0.deletedAt == nil || $0.id + $0.quantity < 226)
  }
  _ = Order.filter {
    $0.stock >= minimum
      && ($0.code ?? "none") == word
      || $0.createdAt <= now
        && minimum < $0.id
        && ($0.code != "Oslo" && $0.name != "US")
      || !$0.isGift
      || [1, 2, 58].contains($0.priority)
        && $0.email == nil
      || $0.city == "x-12"
      || (0...58).contains($0.id)
  }
  _ = Order.filter {
    $0.stock == 370
      || $0.id == 431
        && (!$0.isLocked || $0.note != nil)
        && $0.name.like("%open%")
        && ($0.quantity % 2) == 0
        && $0.customerID + $0.quantity < 794
        && $0.createdAt < $0.dueAt
        && ([1, 2, 13].contains($0.customerID) && ($0.country ?? "none") == word)
      || ($0.quantity % 2) == 0
        && $0.createdAt < $0.dueAt
  }
}

func orders30(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.note != nil
      || minimum < $0.stock
        && ($0.quantity % 2) == 0
        && minimum < $0.id
        && $0.city.like("%US%")
        && $0.email == email
        && $0.customerID >= minimum
        && (7...41).contains($0.priority)
  }
  _ = Order.filter {
    $0.createdAt <= now
      && $0.note == nil
      || $0.note == nil
        && ($0.deletedAt == nil && $0.shippedAt == nil)
  }
  _ = Order.filter {
    $0.weight * 1.2 + 3 > 67.5
      && ($0.quantity % 2) == 0
      && (($0.code ?? "none") == word && $0.createdAt <= now)
      || ($0.name == "US" || $0.email == email)
        && $0.note != nil
        && $0.code == "Anna"
        && ((1...97).contains($0.customerID) || $0.createdAt < $0.dueAt)
  }
  _ = Order.filter {
    $0.priority == 728
      || (($0.quantity % 2) == 0 && $0.createdAt < $0.dueAt)
      || ($0.isLocked || minimum < $0.quantity)
        && ($0.city.like("%open%") || $0.code != "open")
        && ($0.name ?? "none") == word
        && ($0.dueAt < $0.dueAt && length($0.city) > 4)
      || ($0.deletedAt != nil && $0.createdAt < $0.dueAt)
        && (!$0.isPaid && $0.dueAt <= now)
        && ([1, 2, 54].contains($0.stock) && $0.email == nil)
        && ([1, 2, 52].contains($0.stock) || length($0.code) > 25)
  }
  _ = Order.filter {
    length($0.city) > 8
      && $0.isGift
      && $0.name != "US"
      && $0.country != "open"
      && minimum < $0.customerID
  }
  _ = Order.filter {
    $0.email == email
      && ($0.country ?? "none") == word
      || $0.isLocked
      || ($0.isPaid || ($0.name ?? "none") == word)
      || [1, 2, 42].contains($0.id)
        && $0.discount * 1.2 + 3 > 15.5
      || $0.deletedAt == nil
      || (minimum < $0.stock || $0.note != nil)
      || $0.shippedAt == nil
        && $0.quantity + $0.quantity < 246
  }
  _ = Order.filter {
    $0.deletedAt != nil
      || minimum < $0.id
        && $0.deletedAt != nil
      || ($0.city.like("%FR%") || $0.customerID >= minimum)
      || ($0.city.like("%x-12%") && $0.price * 1.2 + 3 > 72.5)
        && $0.id >= minimum
        && $0.name.like("%Oslo%")
  }
  _ = Order.filter {
    length($0.name) > 24
      && ($0.quantity % 2) == 0
      && ($0.dueAt <= now && $0.email == email)
      && $0.email == email
      && ($0.quantity == 929 || $0.code.like("%open%"))
      || $0.country == "Oslo"
        && $0.email == email
        && ($0.quantity % 2) == 0
  }
  _ = Order.filter {
    !$0.isLocked
      && $0.country.like("%Oslo%")
      || (8...63).contains($0.stock)
        && $0.createdAt <= now
        && $0.email == email
        && minimum < $0.stock
        && $0.customerID + $0.quantity < 745
        && $0.shippedAt != nil
        && $0.email == email
        && (($0.country ?? "none") == word && $0.dueAt < $0.dueAt)
  }
  _ = Order.filter {
    [1, 2, 63].contains($0.customerID)
      && $0.isPaid
      || $0.customerID >= minimum
        && (($0.quantity % 2) == 0 && minimum < $0.customerID)
        && $0.id >= minimum
        && $0.discount * 1.2 + 3 > 17.5
  }
}

func orders40(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.createdAt <= now
      && (!$0.isGift && $0.price * 1.2 + 3 > 30.5)
      || $0.quantity + $0.quantity < 381
      || $0.country != "open"
        && (!$0.isGift && $0.createdAt < $0.dueAt)
        && ($0.email == email && $0.stock == 600)
        && minimum < $0.quantity
      || $0.country == "open"
        && !$0.isPaid
      || $0.customerID == 809
  }
  _ = Order.filter {
    length($0.name) > 29
      || ($0.city.like("%Anna%") && minimum < $0.quantity)
  }
  _ = Order.filter {
    ($0.quantity % 2) == 0
      && $0.email == email
      || $0.email == email
      || ($0.deletedAt != nil || !$0.isLocked)
        && minimum < $0.quantity
      || !$0.isGift
        && ($0.name ?? "none") == word
  }
  _ = Order.filter {
    length($0.city) > 18
      && ($0.note != nil && length($0.name) > 25)
      && $0.email == email
      && $0.id == 117
      || minimum < $0.stock
  }
  _ = Order.filter {
    length($0.country) > 1
      && $0.createdAt <= now
      || $0.email == email
      || (($0.quantity % 2) == 0 && $0.code.like("%US%"))
        && ($0.quantity % 2) == 0
  }
  _ = Order.filter {
    $0.quantity >= minimum
      && $0.dueAt < $0.dueAt
      || $0.customerID >= minimum
      || $0.deletedAt == nil
      || ($0.id >= minimum && $0.name == "open")
        && $0.createdAt <= now
      || length($0.country) > 9
      || !$0.isGift
        && ((4...53).contains($0.stock) && $0.city.like("%closed%"))
      || ($0.country ?? "none") == word
  }
  _ = Order.filter {
    $0.isGift
      && $0.customerID >= minimum
      && $0.deletedAt != nil
      && $0.isLocked
      && ($0.quantity % 2) == 0
      || ($0.email != nil || $0.createdAt <= now)
        && $0.discount * 1.2 + 3 > 35.5
      || $0.note != nil
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 46.5
      && ($0.note == nil && $0.city != "closed")
      && $0.createdAt < $0.dueAt
      && [1, 2, 32].contains($0.stock)
      && ($0.country.like("%Anna%") && $0.email == email)
  }
  _ = Order.filter {
    $0.customerID >= minimum
      && $0.dueAt <= now
      || $0.note == nil
        && $0.country.like("%US%")
  }
  _ = Order.filter {
    $0.dueAt < $0.dueAt
      && ($0.code.like("%US%") || (3...27).contains($0.id))
      && ($0.quantity % 2) == 0
      || ($0.id + $0.quantity < 873 || $0.code != "US")
      || ($0.price * 1.2 + 3 > 54.5 || $0.priority >= minimum)
        && [1, 2, 36].contains($0.priority)
        && ($0.email != nil && (3...76).contains($0.id))
      || [1, 2, 54].contains($0.customerID)
        && minimum < $0.quantity
        && $0.city.like("%closed%")
  }
}

func orders50(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.price * 1.2 + 3 > 48.5
      && ($0.code ?? "none") == word
      && ($0.price * 1.2 + 3 > 3.5 || (4...43).contains($0.customerID))
      || ($0.quantity % 2) == 0
        && (0...83).contains($0.customerID)
      || $0.stock >= minimum
      || $0.createdAt <= now
        && $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    $0.customerID >= minimum
      || $0.email == email
        && (7...12).contains($0.customerID)
        && !$0.isGift
        && ($0.email == email || $0.customerID == 560)
        && minimum < $0.id
      || ([1, 2, 33].contains($0.quantity) && [1, 2, 26].contains($0.priority))
      || $0.deletedAt != nil
  }
  _ = Order.filter {
    [1, 2, 79].contains($0.priority)
      || $0.quantity + $0.quantity < 424
      || (minimum < $0.priority && (5...32).contains($0.stock))
      || $0.shippedAt == nil
  }
  _ = Order.filter {
    $0.id + $0.quantity < 869
      && $0.email == email
      && $0.customerID >= minimum
  }
  _ = Order.filter {
    ($0.quantity % 2) == 0
      && (4...60).contains($0.stock)
      || $0.code.like("%open%")
      || [1, 2, 23].contains($0.quantity)
        && ($0.country ?? "none") == word
        && $0.note == nil
        && $0.isGift
        && (!$0.isLocked && ($0.quantity % 2) == 0)
  }
  _ = Order.filter {
    $0.weight * 1.2 + 3 > 34.5
      && $0.weight * 1.2 + 3 > 85.5
      || ($0.shippedAt == nil && $0.customerID >= minimum)
        && (8...25).contains($0.priority)
  }
  _ = Order.filter {
    minimum < $0.priority
      && (1...49).contains($0.priority)
  }
  _ = Order.filter {
    !$0.isGift
      || (length($0.name) > 24 || $0.isLocked)
        && ($0.email == nil && minimum < $0.quantity)
        && ($0.createdAt <= now && $0.weight * 1.2 + 3 > 72.5)
        && $0.weight * 1.2 + 3 > 51.5
        && $0.name == "US"
  }
  _ = Order.filter {
    minimum < $0.id
      && $0.city == "open"
      && $0.note != nil
      && ($0.dueAt <= now || minimum < $0.priority)
      || $0.customerID >= minimum
      || (length($0.code) > 8 || !$0.isGift)
  }
  _ = Order.filter {
    $0.shippedAt != nil
      && minimum < $0.id
  }
}

func orders60(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    (0...81).contains($0.quantity)
      && $0.email == email
      && $0.code == "Rome"
      && !$0.isLocked
      && minimum < $0.id
      && $0.name.like("%open%")
  }
  _ = Order.filter {
    $0.stock == 144
      && [1, 2, 49].contains($0.quantity)
  }
  _ = Order.filter {
    (7...55).contains($0.quantity)
      && $0.code == "Oslo"
      && ($0.deletedAt != nil && minimum < $0.quantity)
      || $0.isPaid
        && $0.note == nil
        && $0.id == 409
  }
  _ = Order.filter {
    $0.code != "US"
      && ($0.note != nil && ($0.code ?? "none") == word)
      && ($0.quantity % 2) == 0
      && ($0.quantity % 2) == 0
      || ($0.note != nil || [1, 2, 23].contains($0.quantity))
      || $0.customerID == 747
        && $0.customerID >= minimum
        && $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    $0.name != "x-12"
      || $0.dueAt < $0.dueAt
      || !$0.isGift
  }
  _ = Order.filter {
    $0.email == email
      && $0.email == email
  }
  _ = Order.filter {
    $0.stock + $0.quantity < 47
      || ($0.quantity >= minimum || [1, 2, 32].contains($0.stock))
        && $0.isLocked
      || $0.city.like("%FR%")
        && $0.country != "FR"
      || $0.shippedAt == nil
      || ($0.discount * 1.2 + 3 > 8.5 && [1, 2, 32].contains($0.stock))
        && $0.createdAt < $0.dueAt
        && $0.isGift
      || (!$0.isPaid || ($0.quantity % 2) == 0)
  }
  _ = Order.filter {
    $0.name == "Rome"
      || ($0.country == "closed" || $0.quantity >= minimum)
        && ($0.id + $0.quantity < 426 || $0.stock == 476)
        && $0.city == "US"
        && $0.isLocked
  }
  _ = Order.filter {
    $0.city.like("%closed%")
      || [1, 2, 80].contains($0.quantity)
        && $0.isPaid
        && (($0.name ?? "none") == word || $0.code != "closed")
      || (length($0.code) > 9 && $0.isLocked)
      || ((4...62).contains($0.customerID) || $0.dueAt <= now)
      || $0.dueAt <= now
      || $0.city != "closed"
  }
  _ = Order.filter {
    !$0.isGift
      || $0.code != "Oslo"
        && $0.name == "US"
        && $0.isLocked
        && $0.createdAt < $0.dueAt
        && $0.stock + $0.quantity < 451
        && $0.id + $0.quantity < 688
        && ($0.dueAt <= now || $0.name.like("%open%"))
  }
}

func orders70(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.city != "Oslo"
      && $0.isPaid
      && (0...85).contains($0.quantity)
      && ($0.email == nil && $0.dueAt < $0.dueAt)
      && length($0.city) > 7
      && $0.createdAt <= now
      || $0.city != "Oslo"
  }
  _ = Order.filter {
    $0.isLocked
      || $0.isGift
        && $0.email == email
      || $0.city == "FR"
      || length($0.code) > 21
      || ($0.quantity % 2) == 0
        && ($0.dueAt <= now || (0...23).contains($0.quantity))
        && minimum < $0.stock
  }
  _ = Order.filter {
    $0.code != "Oslo"
      && (($0.country ?? "none") == word && $0.email == email)
      || $0.quantity + $0.quantity < 361
  }
  _ = Order.filter {
    ($0.name ?? "none") == word
      && $0.customerID >= minimum
      && minimum < $0.id
      && ($0.email == email && $0.createdAt <= now)
      && $0.customerID == 157
  }
  _ = Order.filter {
    $0.country.like("%open%")
      || (length($0.city) > 12 || minimum < $0.id)
        && ($0.dueAt <= now || minimum < $0.id)
  }
  _ = Order.filter {
    [1, 2, 62].contains($0.customerID)
      || minimum < $0.customerID
      || $0.name != "open"
      || ($0.price * 1.2 + 3 > 47.5 || $0.code.like("%x-12%"))
        && ($0.createdAt < $0.dueAt && $0.email != nil)
      || [1, 2, 51].contains($0.customerID)
      || (0...50).contains($0.quantity)
        && $0.email == email
  }
  _ = Order.filter {
    $0.quantity == 416
      || $0.city != "closed"
        && length($0.code) > 26
      || ($0.city ?? "none") == word
        && $0.code != "Rome"
        && $0.weight * 1.2 + 3 > 34.5
        && (6...21).contains($0.quantity)
        && $0.name == "US"
        && ($0.quantity >= minimum && $0.quantity + $0.quantity < 58)
        && $0.priority >= minimum
  }
  _ = Order.filter {
    $0.note == nil
      || $0.stock == 956
        && ($0.city ?? "none") == word
        && $0.dueAt <= now
        && $0.shippedAt != nil
        && $0.name.like("%x-12%")
        && [1, 2, 9].contains($0.id)
        && minimum < $0.id
        && $0.stock + $0.quantity < 116
        && $0.name != "closed"
  }
  _ = Order.filter {
    $0.note == nil
      && $0.createdAt <= now
      && $0.isLocked
  }
  _ = Order.filter {
    ($0.quantity % 2) == 0
      && $0.name.like("%Oslo%")
      && (($0.code ?? "none") == word || $0.note != nil)
      && ($0.name ?? "none") == word
      || $0.dueAt < $0.dueAt
        && ($0.quantity % 2) == 0
        && ([1, 2, 11].contains($0.priority) || (6...83).contains($0.id))
        && ($0.code == "x-12" && $0.createdAt <= now)
      || $0.email != nil
        && ($0.name.like("%Oslo%") && $0.stock + $0.quantity < 867)
  }
}

func orders80(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.quantity >= minimum
      || $0.email != nil
        && $0.dueAt < $0.dueAt
        && (!$0.isPaid && minimum < $0.stock)
  }
  _ = Order.filter {
    $0.country != "US"
      || $0.note != nil
        && ($0.code != "open" || $0.customerID == 550)
        && $0.quantity + $0.quantity < 258
        && (($0.quantity % 2) == 0 && $0.quantity + $0.quantity < 521)
        && $0.country.like("%FR%")
      || $0.note != nil
  }
  _ = Order.filter {
    (8...39).contains($0.priority)
      && (5...37).contains($0.stock)
      || ((3...19).contains($0.stock) && $0.id + $0.quantity < 104)
      || $0.country != "closed"
        && ($0.id >= minimum || ($0.country ?? "none") == word)
      || $0.email == email
        && $0.email == email
        && $0.email == email
  }
  _ = Order.filter {
    $0.isLocked
      && $0.createdAt <= now
      && (($0.quantity % 2) == 0 && $0.note == nil)
      && [1, 2, 28].contains($0.quantity)
      || $0.email == nil
        && length($0.name) > 25
      || ($0.code ?? "none") == word
        && ($0.email == email && $0.city != "open")
        && ($0.priority == 32 && length($0.city) > 0)
        && $0.country == "x-12"
  }
  _ = Order.filter {
    (5...38).contains($0.quantity)
      && ($0.customerID == 268 || $0.email == email)
      || [1, 2, 66].contains($0.quantity)
        && ($0.createdAt <= now && $0.discount * 1.2 + 3 > 61.5)
        && [1, 2, 23].contains($0.customerID)
      || $0.weight * 1.2 + 3 > 66.5
      || ($0.customerID == 318 || $0.email == email)
        && ($0.isLocked && minimum < $0.id)
  }
  _ = Order.filter {
    $0.email == email
      && ($0.createdAt < $0.dueAt && (5...18).contains($0.id))
      && $0.email == nil
  }
  _ = Order.filter {
    [1, 2, 26].contains($0.priority)
      && minimum < $0.stock
      && ($0.quantity % 2) == 0
      && ($0.priority >= minimum && $0.createdAt <= now)
      && $0.country == "FR"
  }
  _ = Order.filter {
    [1, 2, 43].contains($0.customerID)
      && $0.note == nil
      && !$0.isPaid
      && $0.dueAt < $0.dueAt
      && $0.price * 1.2 + 3 > 9.5
  }
  _ = Order.filter {
    $0.id >= minimum
      && ([1, 2, 23].contains($0.stock) || $0.email == email)
      && ($0.city == "US" || $0.email == email)
      && $0.note != nil
      && $0.priority + $0.quantity < 811
      || $0.dueAt < $0.dueAt
        && ($0.createdAt < $0.dueAt || $0.priority == 781)
  }
  _ = Order.filter {
    minimum < $0.id
      && ($0.shippedAt != nil && $0.id == 225)
      && ($0.quantity % 2) == 0
      && ($0.createdAt < $0.dueAt && $0.note != nil)
      && [1, 2, 33].contains($0.stock)
      || ($0.quantity % 2) == 0
      || ([1, 2, 21].contains($0.quantity) || $0.dueAt <= now)
        && [1, 2, 62].contains($0.customerID)
  }
}

func orders90(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.dueAt < $0.dueAt
      && [1, 2, 30].contains($0.stock)
      && [1, 2, 36].contains($0.id)
      && (7...81).contains($0.id)
  }
  _ = Order.filter {
    $0.city.like("%Anna%")
      && $0.discount * 1.2 + 3 > 73.5
      || ($0.createdAt < $0.dueAt || ($0.quantity % 2) == 0)
        && $0.shippedAt == nil
        && $0.id >= minimum
        && !$0.isLocked
        && $0.price * 1.2 + 3 > 81.5
        && (8...17).contains($0.id)
        && $0.note == nil
      || $0.email == email
  }
  _ = Order.filter {
    $0.isLocked
      && ($0.customerID + $0.quantity < 701 || $0.customerID + $0.quantity < 120)
      && $0.customerID + $0.quantity < 45
      && $0.email == email
      && length($0.name) > 29
  }
  _ = Order.filter {
    $0.shippedAt != nil
      && $0.priority + $0.quantity < 318
      || $0.weight * 1.2 + 3 > 79.5
  }
  _ = Order.filter {
    $0.dueAt <= now
      && $0.stock == 270
  }
  _ = Order.filter {
    !$0.isGift
      || (0...12).contains($0.customerID)
        && !$0.isLocked
        && $0.email == nil
        && $0.shippedAt != nil
      || $0.code != "closed"
        && $0.stock + $0.quantity < 594
        && ($0.quantity >= minimum && $0.email == email)
        && $0.city == "Oslo"
      || $0.priority >= minimum
  }
  _ = Order.filter {
    !$0.isGift
      && (($0.code ?? "none") == word || $0.city.like("%closed%"))
      && (4...77).contains($0.stock)
      && !$0.isGift
      && $0.name != "x-12"
      && minimum < $0.stock
      && ($0.name ?? "none") == word
      || $0.country == "FR"
        && length($0.country) > 5
        && ($0.code ?? "none") == word
  }
  _ = Order.filter {
    $0.priority >= minimum
      && $0.createdAt <= now
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 70.5
      && $0.quantity == 475
      && $0.email == nil
      || !$0.isGift
        && (length($0.name) > 1 && !$0.isPaid)
  }
  _ = Order.filter {
    $0.city.like("%x-12%")
      && ($0.name.like("%Oslo%") && ($0.quantity % 2) == 0)
      || [1, 2, 81].contains($0.id)
        && !$0.isLocked
        && ($0.country.like("%open%") && $0.discount * 1.2 + 3 > 26.5)
        && $0.createdAt <= now
        && ($0.isLocked || length($0.city) > 14)
      || ($0.quantity % 2) == 0
      || $0.dueAt < $0.dueAt
      || $0.city.like("%US%")
  }
}

func orders100(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.createdAt <= now
      || $0.customerID + $0.quantity < 615
      || ($0.code ?? "none") == word
        && $0.priority == 352
        && $0.name == "US"
        && $0.isLocked
        && ($0.quantity % 2) == 0
        && $0.city.like("%closed%")
      || ($0.quantity % 2) == 0
      || minimum < $0.priority
  }
  _ = Order.filter {
    $0.note == nil
      || $0.email == email
  }
  _ = Order.filter {
    ($0.code ?? "none") == word
      || ($0.quantity % 2) == 0
      || ($0.quantity % 2) == 0
        && ($0.createdAt <= now && $0.dueAt < $0.dueAt)
      || minimum < $0.priority
        && ((6...16).contains($0.id) && (3...58).contains($0.quantity))
  }
  _ = Order.filter {
    (8...75).contains($0.id)
      || ((6...94).contains($0.priority) || length($0.country) > 6)
        && ($0.id == 932 && $0.isGift)
        && (($0.quantity % 2) == 0 && $0.quantity + $0.quantity < 216)
  }
  _ = Order.filter {
    [1, 2, 43].contains($0.customerID)
      && [1, 2, 3].contains($0.priority)
      || $0.stock + $0.quantity < 517
        && minimum < $0.customerID
        && $0.note == nil
        && $0.deletedAt != nil
      || $0.email != nil
  }
  _ = Order.filter {
    $0.isGift
      && ($0.quantity % 2) == 0
      && ($0.quantity % 2) == 0
      && $0.city == "Oslo"
      || (7...86).contains($0.stock)
        && $0.name != "Rome"
      || ($0.note != nil && [1, 2, 6].contains($0.priority))
  }
  _ = Order.filter {
    !$0.isLocked
      && ((3...56).contains($0.id) || $0.quantity + $0.quantity < 15)
      && ((4...63).contains($0.stock) && $0.country != "Oslo")
      && ($0.email == email || $0.email == email)
      && $0.dueAt <= now
      && $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    !$0.isGift
      && ($0.quantity + $0.quantity < 401 && length($0.name) > 9)
      || $0.isGift
      || $0.dueAt < $0.dueAt
        && $0.name == "US"
      || ($0.isPaid || minimum < $0.priority)
      || (minimum < $0.quantity || $0.email == email)
        && $0.city == "Rome"
        && $0.name != "x-12"
      || ($0.city ?? "none") == word
  }
  _ = Order.filter {
    $0.name == "US"
      || (($0.quantity % 2) == 0 || minimum < $0.quantity)
      || (length($0.city) > 0 && length($0.city) > 7)
        && [1, 2, 22].contains($0.stock)
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 28.5
      && ($0.quantity >= minimum && $0.isLocked)
      && $0.email != nil
      && $0.weight * 1.2 + 3 > 23.5
  }
}

func orders110(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    length($0.city) > 29
      || $0.stock >= minimum
      || ($0.discount * 1.2 + 3 > 82.5 || $0.customerID >= minimum)
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 86.5
      && $0.code == "FR"
      && $0.id + $0.quantity < 648
      || ($0.code.like("%Anna%") || ($0.quantity % 2) == 0)
      || ($0.city.like("%open%") && (5...81).contains($0.quantity))
        && ($0.deletedAt == nil && ($0.quantity % 2) == 0)
  }
  _ = Order.filter {
    $0.createdAt < $0.dueAt
      && $0.id >= minimum
      && $0.deletedAt == nil
      && $0.dueAt <= now
      && $0.quantity >= minimum
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 78.5
      && $0.customerID == 897
      && $0.city == "FR"
      || ($0.stock >= minimum || $0.deletedAt != nil)
  }
  _ = Order.filter {
    $0.name != "US"
      && ($0.email == email && minimum < $0.priority)
      && $0.email == nil
      || $0.name != "Rome"
        && length($0.city) > 6
        && $0.dueAt <= now
        && $0.deletedAt == nil
      || (1...93).contains($0.id)
        && $0.customerID + $0.quantity < 768
        && $0.email != nil
  }
  _ = Order.filter {
    $0.price * 1.2 + 3 > 71.5
      && $0.dueAt <= now
      || ($0.code ?? "none") == word
        && $0.weight * 1.2 + 3 > 18.5
        && (($0.city ?? "none") == word && $0.dueAt <= now)
        && ([1, 2, 77].contains($0.priority) || $0.quantity == 191)
        && $0.email == email
  }
  _ = Order.filter {
    minimum < $0.quantity
      && ($0.code.like("%Rome%") && [1, 2, 82].contains($0.quantity))
      && $0.email == email
      && $0.createdAt <= now
      && $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    $0.discount * 1.2 + 3 > 71.5
      && !$0.isGift
      && (minimum < $0.stock && $0.deletedAt == nil)
      || $0.priority >= minimum
        && minimum < $0.customerID
      || (0...57).contains($0.id)
        && $0.dueAt < $0.dueAt
      || $0.dueAt < $0.dueAt
  }
  _ = Order.filter {
    $0.priority == 234
      && $0.stock == 165
  }
  _ = Order.filter {
    minimum < $0.quantity
      && $0.code == "Oslo"
      || ((6...80).contains($0.stock) && minimum < $0.quantity)
        && $0.dueAt < $0.dueAt
  }
}

func orders120(minimum: Int, email: String?, word: String, now: Date) {
  _ = Order.filter {
    $0.isPaid
      && ($0.quantity % 2) == 0
      && length($0.country) > 16
      || $0.note == nil
      || $0.code != "Oslo"
      || $0.dueAt <= now
      || ($0.quantity % 2) == 0
      || ($0.quantity % 2) == 0
        && $0.city != "x-12"
      || ($0.email == nil || $0.country != "FR")
  }
  _ = Order.filter {
    $0.quantity + $0.quantity < 376
      && ($0.isLocked && ($0.quantity % 2) == 0)
      && ($0.deletedAt == nil && ($0.country ?? "none") == word)
      && [1, 2, 57].contains($0.customerID)
      && $0.id + $0.quantity < 343
      && $0.city == "Rome"
      && ($0.quantity % 2) == 0
      && ($0.stock >= minimum || $0.quantity + $0.quantity < 427)
      && $0.name == "FR"
      || ($0.note != nil || $0.stock >= minimum)
  }
  _ = Order.filter {
    $0.note == nil
      && $0.note != nil
      || $0.price * 1.2 + 3 > 43.5
      || (!$0.isGift && !$0.isPaid)
        && $0.dueAt <= now
  }
  _ = Order.filter {
    (3...57).contains($0.id)
      && !$0.isLocked
      && ($0.name == "x-12" || $0.dueAt <= now)
      && $0.discount * 1.2 + 3 > 59.5
      && $0.note == nil
      || $0.quantity >= minimum
      || $0.country != "open"
      || $0.country != "Oslo"
        && !$0.isPaid
        && ($0.quantity % 2) == 0
  }
  _ = Order.filter {
    $0.dueAt <= now
      && (($0.quantity % 2) == 0 || ($0.quantity % 2) == 0)
      && ($0.id == 429 && !$0.isGift)
      && length($0.name) > 10
      || $0.dueAt <= now
        && (1...26).contains($0.quantity)
  }
  _ = Order.filter {
    $0.shippedAt != nil
      || $0.country == "x-12"
        && [1, 2, 73].contains($0.quantity)
  }
  _ = Order.filter {
    $0.createdAt < $0.dueAt
      && $0.note == nil
      && $0.email == email
  }
  _ = Order.filter {
    $0.email == email
      || length($0.name) > 2
      || $0.customerID >= minimum
        && $0.name != "FR"
      || ($0.code ?? "none") == word
      || [1, 2, 13].contains($0.quantity)
        && ($0.quantity % 2) == 0
        && $0.isPaid
  }
  _ = Order.filter {
    $0.dueAt <= now
      || $0.isGift
        && ($0.priority >= minimum && length($0.country) > 18)
      || minimum < $0.stock
  }
  _ = Order.filter {
    $0.country.like("%Anna%")
      || $0.createdAt < $0.dueAt
        && ($0.country ?? "none") == word
        && ($0.email != nil && $0.priority == 862)
        && (1...40).contains($0.quantity)
  }
}

func typedOrders0(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    (6...68).contains($0.id)
      && (7...74).contains($0.quantity)
      || ($0.deletedAt == nil || (0...80).contains($0.id))
        && (!$0.isGift || !$0.isGift)
        && $0.customerID + $0.quantity < 60
      || ($0.code.like("%FR%") || $0.priority == 783)
        && ($0.shippedAt != nil || [1, 2, 60].contains($0.id))
      || $0.id + $0.quantity < 462
        && (($0.quantity % 2) == 0 || $0.code == "closed")
      || ($0.country != "closed" && $0.name != "open")
  }
  _ = TypedOrder.filter {
    $0.code == "US"
      && ($0.createdAt <= now || $0.priority + $0.quantity < 408)
      && $0.createdAt <= now
      && [1, 2, 56].contains($0.customerID)
      && $0.priority + $0.quantity < 276
      && minimum < $0.quantity
      && $0.quantity >= minimum
      && ($0.code == "Rome" || $0.shippedAt != nil)
      && ($0.priority == 609 && (0...66).contains($0.stock))
      || $0.shippedAt != nil
  }
  _ = TypedOrder.filter {
    minimum < $0.priority
      && (6...44).contains($0.stock)
      || $0.note == nil
      || $0.email == email
        && minimum < $0.stock
        && (($0.quantity % 2) == 0 && $0.note != nil)
        && (($0.quantity % 2) == 0 || $0.createdAt <= now)
        && !$0.isLocked
  }
  _ = TypedOrder.filter {
    $0.name == "Anna"
      || $0.stock >= minimum
      || $0.city == "Anna"
        && $0.shippedAt != nil
        && $0.createdAt < $0.dueAt
        && $0.weight * 1.2 + 3 > 86.5
  }
  _ = TypedOrder.filter {
    [1, 2, 49].contains($0.priority)
      || ($0.quantity % 2) == 0
        && $0.id + $0.quantity < 753
      || (!$0.isLocked || ($0.quantity % 2) == 0)
  }
  _ = TypedOrder.filter {
    $0.quantity + $0.quantity < 668
      && $0.shippedAt == nil
      || ($0.customerID >= minimum && $0.code == "Oslo")
        && $0.weight * 1.2 + 3 > 74.5
      || (8...44).contains($0.stock)
      || ([1, 2, 81].contains($0.customerID) && $0.deletedAt != nil)
      || $0.city != "x-12"
  }
  _ = TypedOrder.filter {
    $0.city == "Rome"
      && $0.stock >= minimum
      && $0.stock >= minimum
      && $0.isLocked
      && (0...91).contains($0.id)
      && ($0.name.like("%US%") || minimum < $0.id)
      && ($0.priority == 941 && $0.deletedAt == nil)
  }
  _ = TypedOrder.filter {
    $0.shippedAt == nil
      || $0.note != nil
        && $0.code == "Oslo"
        && minimum < $0.id
      || ($0.quantity % 2) == 0
        && $0.createdAt < $0.dueAt
      || $0.note != nil
        && [1, 2, 79].contains($0.priority)
  }
  _ = TypedOrder.filter {
    $0.stock >= minimum
      && $0.dueAt < $0.dueAt
      || [1, 2, 44].contains($0.id)
        && [1, 2, 35].contains($0.id)
        && ($0.priority + $0.quantity < 761 || (0...53).contains($0.stock))
  }
  _ = TypedOrder.filter {
    $0.email == email
      && (!$0.isGift || $0.dueAt <= now)
      && ($0.quantity % 2) == 0
      || $0.weight * 1.2 + 3 > 68.5
        && (4...86).contains($0.customerID)
  }
}

func typedOrders10(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    $0.quantity >= minimum
      && (!$0.isLocked && $0.name != "Anna")
      && ($0.code.like("%open%") || $0.city.like("%Rome%"))
      && $0.country != "FR"
      || $0.dueAt <= now
      || $0.isLocked
        && (1...86).contains($0.stock)
        && $0.country != "US"
  }
  _ = TypedOrder.filter {
    $0.customerID == 62
      || ($0.quantity % 2) == 0
        && $0.priority == 716
      || ($0.email == email || $0.code != "FR")
      || $0.dueAt <= now
      || $0.email == nil
        && ($0.quantity + $0.quantity < 357 || (3...34).contains($0.id))
        && $0.name == "Rome"
        && [1, 2, 79].contains($0.priority)
        && ($0.price * 1.2 + 3 > 10.5 && $0.customerID == 505)
  }
  _ = TypedOrder.filter {
    $0.dueAt <= now
      || [1, 2, 39].contains($0.customerID)
        && $0.createdAt < $0.dueAt
      || ($0.email == email && !$0.isGift)
      || $0.isPaid
      || ($0.quantity % 2) == 0
        && (minimum < $0.priority || $0.isPaid)
        && $0.id + $0.quantity < 2
  }
  _ = TypedOrder.filter {
    $0.code == "Rome"
      && $0.createdAt <= now
      || !$0.isPaid
        && $0.customerID >= minimum
      || ($0.discount * 1.2 + 3 > 15.5 || $0.price * 1.2 > 69.5)
      || $0.country.like("%Anna%")
      || (($0.quantity % 2) == 0 && $0.name != "open")
  }
  _ = TypedOrder.filter {
    minimum < $0.id
      || ((6...16).contains($0.stock) || $0.country.like("%FR%"))
        && $0.createdAt < $0.dueAt
        && ($0.email == nil || $0.createdAt <= now)
      || ($0.customerID == 290 || $0.note == nil)
  }
  _ = TypedOrder.filter {
    $0.email == nil
      && ($0.email == email && ($0.quantity % 2) == 0)
      && ($0.quantity % 2) == 0
      && ([1, 2, 44].contains($0.customerID) || ($0.quantity % 2) == 0)
      && $0.note == nil
      && $0.isGift
      || $0.country == "Oslo"
        && $0.dueAt <= now
      || $0.name == "Anna"
        && $0.name != "FR"
  }
  _ = TypedOrder.filter {
    $0.shippedAt == nil
      || ($0.name == "Oslo" && $0.name == "FR")
        && (minimum < $0.id || $0.createdAt <= now)
  }
  _ = TypedOrder.filter {
    $0.code == "FR"
      && $0.isLocked
      || ($0.isGift && $0.createdAt <= now)
        && $0.country.like("%Rome%")
  }
  _ = TypedOrder.filter {
    !$0.isPaid
      || $0.isLocked
      || minimum < $0.quantity
        && ($0.weight * 1.2 + 3 > 86.5 || $0.shippedAt != nil)
        && $0.quantity >= minimum
        && (!$0.isPaid && $0.email == nil)
        && $0.isGift
  }
  _ = TypedOrder.filter {
    $0.deletedAt != nil
      || !$0.isLocked
  }
}

func typedOrders20(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    $0.code.like("%US%")
      || $0.country.like("%US%")
        && (1...65).contains($0.customerID)
  }
  _ = TypedOrder.filter {
    $0.stock + $0.quantity < 620
      || $0.customerID >= minimum
      || (!$0.isGift || $0.id + $0.quantity < 300)
        && ($0.name.like("%Anna%") && !$0.isLocked)
        && ($0.isPaid && $0.deletedAt != nil)
      || ($0.quantity % 2) == 0
        && $0.stock + $0.quantity < 475
      || $0.isGift
      || $0.stock + $0.quantity < 275
        && $0.quantity + $0.quantity < 381
  }
  _ = TypedOrder.filter {
    minimum < $0.customerID
      && $0.email == nil
      && $0.email != nil
      && $0.quantity == 605
      || !$0.isGift
        && minimum < $0.quantity
      || $0.price * 1.2 + 3 > 86.5
        && $0.dueAt <= now
        && $0.email != nil
        && $0.customerID + $0.quantity < 27
  }
  _ = TypedOrder.filter {
    $0.deletedAt != nil
      || ($0.email == email || $0.name == "Rome")
      || ($0.isGift || $0.note != nil)
        && $0.dueAt < $0.dueAt
  }
  _ = TypedOrder.filter {
    minimum < $0.priority
      || $0.stock == 613
        && $0.discount * 1.2 + 3 > 70.5
  }
  _ = TypedOrder.filter {
    !$0.isGift
      && $0.priority + $0.quantity < 163
  }
  _ = TypedOrder.filter {
    $0.createdAt < $0.dueAt
      && (4...69).contains($0.stock)
      || $0.deletedAt != nil
      || minimum < $0.quantity
        && $0.dueAt <= now
  }
  _ = TypedOrder.filter {
    $0.discount * 1.2 + 3 > 56.5
      && $0.name.like("%FR%")
      || $0.createdAt <= now
      || $0.isPaid
        && $0.stock == 54
        && $0.customerID == 948
  }
  _ = TypedOrder.filter {
    $0.customerID == 334
      && $0.priority >= minimum
      && (!$0.isLocked && !$0.isGift)
      && (7...24).contains($0.priority)
      && (!$0.isPaid || $0.price * 1.2 + 3 > 75.5)
      && ($0.country == "Rome" || $0.country != "Rome")
      || ($0.price * 1.2 + 3 > 42.5 || $0.createdAt < $0.dueAt)
      || ($0.note != nil && $0.id >= minimum)
        && ($0.stock >= minimum || $0.dueAt < $0.dueAt)
        && $0.createdAt < $0.dueAt
  }
  _ = TypedOrder.filter {
    $0.isLocked
      && ($0.email == email && $0.shippedAt == nil)
      || !$0.isPaid
        && $0.id + $0.quantity < 379
      || $0.dueAt < $0.dueAt
        && $0.code.like("%Oslo%")
        && ($0.dueAt <= now || $0.country.like("%closed%"))
        && ($0.quantity % 2) == 0
        && $0.dueAt < $0.dueAt
        && !$0.isGift
  }
}

func typedOrders30(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    minimum < $0.priority
      || (8...23).contains($0.priority)
        && $0.priority + $0.quantity < 609
      || (2...83).contains($0.id)
        && $0.customerID == 929
        && ((0...73).contains($0.customerID) || $0.name == "US")
        && $0.email == email
        && $0.createdAt < $0.dueAt
  }
  _ = TypedOrder.filter {
    $0.email == email
      || ($0.deletedAt != nil && $0.stock + $0.quantity < 807)
      || ($0.quantity % 2) == 0
      || ($0.quantity % 2) == 0
  }
  _ = TypedOrder.filter {
    (3...20).contains($0.stock)
      || (!$0.isLocked || !$0.isLocked)
      || $0.email == nil
        && !$0.isPaid
      || $0.customerID == 326
      || $0.createdAt < $0.dueAt
      || $0.stock == 828
      || $0.dueAt <= now
      || $0.quantity + $0.quantity < 213
        && !$0.isLocked
  }
  _ = TypedOrder.filter {
    (4...11).contains($0.quantity)
      || ($0.quantity % 2) == 0
        && $0.city == "open"
      || $0.shippedAt == nil
        && $0.email == email
        && $0.email == email
        && !$0.isGift
      || $0.customerID + $0.quantity < 462
  }
  _ = TypedOrder.filter {
    $0.dueAt <= now
      && $0.country == "open"
  }
  _ = TypedOrder.filter {
    (7...15).contains($0.quantity)
      && !$0.isPaid
      || $0.note == nil
  }
  _ = TypedOrder.filter {
    !$0.isGift
      && ((8...84).contains($0.priority) || $0.isPaid)
      && $0.stock == 465
      && $0.note == nil
      && (3...35).contains($0.priority)
      && $0.city == "FR"
      && $0.country.like("%closed%")
      && $0.deletedAt != nil
      && $0.quantity + $0.quantity < 270
      && $0.isPaid
  }
  _ = TypedOrder.filter {
    $0.name.like("%x-12%")
      && ($0.createdAt < $0.dueAt || $0.code.like("%Rome%"))
      && $0.name == "Rome"
      && ($0.country == "closed" && $0.dueAt <= now)
      && $0.weight * 1.2 + 3 > 39.5
      && (5...41).contains($0.id)
  }
  _ = TypedOrder.filter {
    [1, 2, 81].contains($0.priority)
      || $0.city == "FR"
        && $0.email != nil
  }
  _ = TypedOrder.filter {
    (0...96).contains($0.stock)
      && $0.name != "Oslo"
      || (($0.quantity % 2) == 0 || $0.email == email)
  }
}

func typedOrders40(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    $0.email == email
      && (4...13).contains($0.id)
      && $0.createdAt <= now
      && ($0.discount * 1.2 + 3 > 69.5 || $0.email == nil)
      && $0.email != nil
      || (minimum < $0.id && $0.name.like("%closed%"))
        && !$0.isGift
        && ([1, 2, 50].contains($0.priority) && $0.priority >= minimum)
        && minimum < $0.id
      || ($0.name != "x-12" || $0.createdAt < $0.dueAt)
  }
  _ = TypedOrder.filter {
    ($0.quantity % 2) == 0
      && !$0.isLocked
      || !$0.isLocked
        && ($0.quantity % 2) == 0
      || [1, 2, 65].contains($0.stock)
        && ($0.name.like("%Anna%") || $0.note != nil)
      || $0.shippedAt == nil
      || $0.createdAt < $0.dueAt
        && ($0.quantity % 2) == 0
        && $0.createdAt <= now
  }
  _ = TypedOrder.filter {
    $0.email == email
      && $0.country.like("%Anna%")
      && ($0.email == email && $0.email != nil)
      && (($0.quantity % 2) == 0 && [1, 2, 5].contains($0.id))
      || $0.isGift
      || ($0.dueAt <= now && minimum < $0.priority)
      || $0.id + $0.quantity < 290
      || ($0.id >= minimum || $0.shippedAt != nil)
      || $0.shippedAt != nil
      || $0.city != "x-12"
  }
  _ = TypedOrder.filter {
    $0.price * 1.2 + 3 > 49.5
      || $0.isGift
        && $0.note != nil
        && $0.email != nil
        && $0.price * 1.2 + 3 > 9.5
  }
  _ = TypedOrder.filter {
    $0.price * 1.2 + 3 > 72.5
      && $0.dueAt < $0.dueAt
      && ($0.dueAt <= now || $0.createdAt < $0.dueAt)
  }
  _ = TypedOrder.filter {
    $0.dueAt < $0.dueAt
      && $0.quantity == 615
      || minimum < $0.stock
        && $0.createdAt < $0.dueAt
        && $0.stock + $0.quantity < 84
        && $0.shippedAt == nil
  }
  _ = TypedOrder.filter {
    $0.quantity == 488
      && $0.quantity == 461
      && $0.stock == 628
      || $0.name == "Anna"
        && $0.deletedAt == nil
      || ($0.quantity % 2) == 0
        && $0.price * 1.2 + 3 > 77.5
        && $0.isLocked
        && $0.email == email
        && [1, 2, 45].contains($0.id)
  }
  _ = TypedOrder.filter {
    $0.deletedAt == nil
      && $0.name.like("%closed%")
      && !$0.isPaid
      && $0.stock + $0.quantity < 8
  }
  _ = TypedOrder.filter {
    $0.country.like("%Anna%")
      && $0.priority + $0.quantity < 58
      && ([1, 2, 12].contains($0.stock) && $0.name == "FR")
      || $0.email == email
        && $0.city != "US"
      || $0.deletedAt != nil
  }
  _ = TypedOrder.filter {
    $0.dueAt <= now
      && $0.priority >= minimum
      && $0.city == "Anna"
      && !$0.isLocked
      && $0.country.like("%closed%")
      || (0...86).contains($0.priority)
        && ($0.name == "closed" || $0.isGift)
        && $0.shippedAt == nil
  }
}

func typedOrders50(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    $0.code == "FR"
      && $0.email == email
      || $0.isGift
        && $0.city.like("%Anna%")
        && $0.deletedAt == nil
      || $0.id >= minimum
        && !$0.isLocked
  }
  _ = TypedOrder.filter {
    $0.createdAt < $0.dueAt
      || ($0.email != nil || $0.deletedAt == nil)
        && $0.isPaid
  }
  _ = TypedOrder.filter {
    $0.note == nil
      || $0.isGift
      || $0.email == email
      || (!$0.isGift && $0.price * 1.2 + 3 > 36.5)
      || $0.createdAt < $0.dueAt
        && $0.price * 1.2 + 3 > 57.5
      || $0.priority == 392
        && ($0.id + $0.quantity < 857 && $0.priority == 624)
        && [1, 2, 29].contains($0.priority)
        && $0.dueAt < $0.dueAt
  }
  _ = TypedOrder.filter {
    $0.code != "FR"
      || $0.note == nil
        && $0.createdAt <= now
        && $0.discount * 1.2 + 3 > 63.5
        && $0.email == email
      || (7...11).contains($0.priority)
      || minimum < $0.priority
  }
  _ = TypedOrder.filter {
    $0.customerID + $0.quantity < 194
      && $0.email == email
      && ((7...10).contains($0.quantity) || ($0.quantity % 2) == 0)
      || ($0.quantity % 2) == 0
      || $0.code.like("%Oslo%")
        && $0.note != nil
        && $0.weight * 1.2 + 3 > 60.5
        && ($0.isPaid && ($0.quantity % 2) == 0)
        && !$0.isLocked
      || $0.city == "Rome"
  }
  _ = TypedOrder.filter {
    ($0.quantity % 2) == 0
      && $0.email == email
  }
  _ = TypedOrder.filter {
    $0.shippedAt != nil
      || $0.quantity + $0.quantity < 530
        && $0.id + $0.quantity < 177
      || ([1, 2, 47].contains($0.customerID) || $0.createdAt < $0.dueAt)
  }
  _ = TypedOrder.filter {
    $0.email == email
      && $0.discount * 1.2 + 3 > 10.5
      && $0.stock == 792
  }
  _ = TypedOrder.filter {
    $0.email == nil
      || ($0.stock >= minimum && minimum < $0.customerID)
        && $0.customerID >= minimum
      || minimum < $0.id
        && [1, 2, 88].contains($0.id)
        && [1, 2, 23].contains($0.priority)
      || ($0.shippedAt != nil && $0.note == nil)
  }
  _ = TypedOrder.filter {
    $0.deletedAt == nil
      && ($0.createdAt < $0.dueAt && $0.quantity == 661)
      && ($0.createdAt <= now && $0.email == email)
      && $0.id >= minimum
      || ($0.name != "FR" && $0.quantity >= minimum)
  }
}

func typedOrders60(minimum: Int, email: String?, word: String, now: Date) {
  _ = TypedOrder.filter {
    $0.email == email
      || $0.dueAt < $0.dueAt
        && ($0.email == email || $0.customerID >= minimum)
        && $0.isGift
      || $0.createdAt < $0.dueAt
      || $0.discount * 1.2 + 3 > 57.5
        && $0.createdAt < $0.dueAt
        && ($0.quantity == 28 || $0.customerID >= minimum)
        && $0.weight * 1.2 + 3 > 23.5
        && ($0.customerID == 36 || $0.email == email)
  }
  _ = TypedOrder.filter {
    $0.shippedAt != nil
      && $0.id >= minimum
      && ($0.dueAt <= now || $0.shippedAt == nil)
      || $0.isGift
        && [1, 2, 14].contains($0.quantity)
        && !$0.isPaid
      || [1, 2, 45].contains($0.id)
      || (!$0.isLocked && ($0.quantity % 2) == 0)
  }
  _ = TypedOrder.filter {
    $0.deletedAt != nil
      && ($0.stock == 93 && $0.id + $0.quantity < 697)
      && [1, 2, 69].contains($0.priority)
      || $0.priority == 627
        && (5...16).contains($0.priority)
      || ($0.dueAt <= now || $0.id + $0.quantity < 416)
  }
  _ = TypedOrder.filter {
    $0.email == nil
      || [1, 2, 52].contains($0.priority)
        && ($0.email == email || minimum < $0.customerID)
        && $0.isPaid
      || (7...67).contains($0.stock)
      || [1, 2, 47].contains($0.quantity)
        && ($0.note == nil && $0.code == "open")
      || [1, 2, 73].contains($0.priority)
  }
  _ = TypedOrder.filter {
    $0.name != "x-12"
      && [1, 2, 80].contains($0.id)
      && ($0.email == nil || $0.isGift)
  }
  _ = TypedOrder.filter {
    $0.name == "Rome"
      && ($0.country != "closed" && $0.stock >= minimum)
      && [1, 2, 45].contains($0.id)
      && ($0.email != nil || ($0.quantity % 2) == 0)
      && ($0.email == email || $0.customerID >= minimum)
      && [1, 2, 42].contains($0.id)
      && $0.email == email
      && $0.weight * 1.2 + 3 > 6.5
  }
  _ = TypedOrder.filter {
    !$0.isGift
      || ($0.email == email || $0.email != nil)
      || $0.createdAt < $0.dueAt
        && $0.isLocked
        && $0.city != "Oslo"
      || $0.dueAt < $0.dueAt
      || ($0.weight * 1.2 + 3 > 48.5 || (5...21).contains($0.quantity))
  }
  _ = TypedOrder.filter {
    !$0.isLocked
      || ((4...93).contains($0.id) && $0.note != nil)
        && $0.createdAt < $0.dueAt
  }
  _ = TypedOrder.filter {
    $0.customerID + $0.quantity < 747
      && $0.id == 717
      || $0.code.like("%Oslo%")
      || (6...42).contains($0.quantity)
  }
  _ = TypedOrder.filter {
    [1, 2, 11].contains($0.priority)
      && $0.email == email
      || $0.isLocked
      || $0.id >= minimum
        && ($0.name != "Oslo" || $0.country == "Oslo")
  }
}
