// A program that is compiled without reflection metadata: its records must name their columns.
// Scripts/predicates.sh runs it, and expects that the error of each request names the fix.
import Storage

struct Item: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  let price: Double
}

try DatabaseQueue().write { db in
  try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL)")
  for request in [
    Item.filter { $0.price < 20 }, Item.order(\.name), Item.order(\.price.desc),
  ] {
    do {
      print("fetched:", try request.fetchAll(db))
    } catch {
      print(error)
    }
  }
}
