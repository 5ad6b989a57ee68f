/// A type-erased ``DatabaseReader``.
public final class AnyDatabaseReader: DatabaseReader, ObservableReader {
  let core: DatabaseCore
  // Kept alive, because the `deinit` of a reader may have effects, as that of a snapshot has.
  private let base: any DatabaseReader

  /// Makes a reader that reads through `base`.
  public init(_ base: some DatabaseReader) {
    core = base.observableCore
    self.base = base
  }
}
