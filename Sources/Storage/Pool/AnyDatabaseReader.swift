/// A ``DatabaseReader`` of any type.
public final class AnyDatabaseReader: DatabaseReader, ObservableReader {
  let core: DatabaseCore
  // What its end means for others, such as that of a snapshot, comes when nobody holds it.
  private let base: any DatabaseReader

  /// Makes a reader that is the same as `base`.
  public init(_ base: some DatabaseReader) {
    core = base.observableCore
    self.base = base
  }
}

/// A ``DatabaseWriter`` of any type.
public final class AnyDatabaseWriter: DatabaseWriter, ObservableWriter {
  let core: DatabaseCore

  /// Makes a writer that is the same as `base`.
  public init(_ base: some DatabaseWriter) {
    core = base.observableCore
  }
}
