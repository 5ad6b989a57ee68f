func refreshRemoteFiles() {}
func remoteFiles() -> [String] { [] }
func loadSlowly(_ db: Database) throws -> Int { 0 }
func send(_ items: [Item]) async {}
@Sendable func prepare(_ items: [Item]) -> [String] { [] }
struct StockRequest: ObservationRequest {
  var warehouse: Int
  func fetch(_ db: Database) throws -> Int { 0 }
}
let observation = ValueObservation.tracking(Item.all())
let cancellable: AnyDatabaseCancellable = example()
