/// A type-erased ``DatabaseWriter``.
public final class AnyDatabaseWriter: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Makes a writer that reads and writes through `base`.
  public init(_ base: some DatabaseWriter) {
    core = base.observableCore
  }
}
