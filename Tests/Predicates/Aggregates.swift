// Requests with aggregates of associations, as deep as applications write them. No request may take
// the compiler more than 100 ms.
import Storage

func aggregates() {
  _ = Customer.having(Customer.purchases.count >= 2 && !Customer.items.isEmpty)
  _ = Customer.having(
    Customer.purchases.max { $0.price } > 10
      && Customer.purchases.min(\.price) < 20
      || Customer.items.isEmpty == false
  )
  _ = Customer.annotated(
    with: (Customer.purchases.count + Customer.items.count).forKey("total"),
    Customer.purchases.sum(\.price) ?? 0
  )
  _ = Customer.annotated(
    with: (Customer.purchases.sum { $0.price * 2 } / Customer.purchases.count).forKey("mean")
  )
  _ = Customer.filter { $0.city == "Oslo" && $0.name != "" }
    .having(Customer.purchases.count == 0 || Customer.purchases.average(\.price) >= 10.5)
  _ = Customer.having(
    Customer.purchases.filter { $0.price > 100 && $0.id < 10 }.count > Customer.items.count * 2
  )
  _ = Customer.including(
    all: Customer.purchases.having(!Purchase.items.isEmpty).annotated(with: Purchase.items.count)
  )
  _ = Customer.having(3 > Customer.purchases.count).order(Customer.purchases.count.desc)
  _ = Customer.annotated(with: cast(Customer.items.count, as: .real).forKey("size"))
    .having(abs(Customer.purchases.sum(\.price)) < 3)
}
