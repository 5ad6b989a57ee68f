extension Database {
  /// The tracker of a connection that writes.
  ///
  /// - Precondition: The connection can write.
  var changeTracker: ChangeTracker {
    guard let tracker = hooks as? ChangeTracker else {
      preconditionFailure("Only a connection that writes can be observed: use write, not read.")
    }
    return tracker
  }
}
