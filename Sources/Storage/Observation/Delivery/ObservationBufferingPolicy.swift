/// What happens to values that come while a loop over them is busy.
public enum ObservationBufferingPolicy: Sendable {
  /// The newest value waits, and older values are dropped: a slow loop costs no memory, and
  /// continues with the present state.
  case newest
  /// All values that were fetched wait. Values of commits that came close together may still not be
  /// fetched one by one.
  case unbounded
}
