/// Presents a session.
protocol SessionPresenter: Sendable {
  /// Shows the reason for waiting before the first value.
  func showWaiting(for message: String)

  /// Fits the picture to the window's new size.
  func redraw()

  /// Restores the terminal, and stops the whole process until the shell continues it.
  func stop()

  /// Restores the terminal, and shows nothing from then on.
  ///
  /// This method waits at most one second for a blocked output, so the process can always end.
  func finish()
}
