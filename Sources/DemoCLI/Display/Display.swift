/// A place that shows the values of a watch, to people or to programs.
protocol Display {
  /// Whether the display shows no more values.
  var isComplete: Bool { get }

  /// Whether the last thing that was done for a value has failed, and was reported.
  var hasFailed: Bool { get }

  /// Shows a value, which replaces the previous value and any problem.
  mutating func show(_ value: WatchedValue) throws

  /// Shows why no newer value has come.
  mutating func show(problem: String) throws

  /// Shows the last contents again, after the window was resized or overwritten.
  mutating func redraw() throws

  /// Restores the place, for example the modes of a terminal.
  mutating func release() throws
}

extension Display {
  var isComplete: Bool { false }
  var hasFailed: Bool { false }
}
