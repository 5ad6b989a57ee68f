import Sharing

/// A service that reads the default database.
final class Service {
  @SharedReader(.fetchCount(Item.all())) var count = 0
}
