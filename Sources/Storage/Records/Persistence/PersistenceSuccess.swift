/// The result of an insertion or an update.
public struct PersistenceSuccess {
  /// The result of the insertion, or `nil` for an update.
  public let insertion: InsertionSuccess?

  @inlinable
  init(insertion: InsertionSuccess?) {
    self.insertion = insertion
  }
}
