/// A type that can be selected: a column, an expression or ``AllColumns``.
public protocol SQLSelectable {
  /// The result columns.
  var sqlSelection: SQLSelection { get }
}
