/// Whether a dump shows the names of tables above their rows.
public enum DumpTableHeader: Hashable, Sendable {
  /// Shows the names when there are several tables.
  case automatic
  /// Always shows the names.
  case always

  func isShown(over tableCount: Int) -> Bool { self == .always || tableCount > 1 }
}

/// GRDB's name of ``DumpTableHeader``.
public typealias DumpTableHeaderOptions = DumpTableHeader
