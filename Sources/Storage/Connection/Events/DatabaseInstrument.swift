/// Receives what happens in a database, for logs, metrics and traces.
///
///     struct ActivityLog: DatabaseInstrument {
///       func record(_ activity: DatabaseActivity) { print(activity) }
///     }
///
///     var configuration = Configuration()
///     configuration.instruments = [ActivityLog()]
///     let pool = try DatabasePool(path: "/var/lib/shop/shop.sqlite", configuration: configuration)
///     // shop.sqlite: slow statement, 0.251 s: SELECT * FROM item ORDER BY name
///
/// Errors that an access throws are not activities: their caller decides. Failures without a caller
/// go to ``Database/reportFailure``.
public protocol DatabaseInstrument: Sendable {
  /// Receives an activity.
  ///
  /// It is called on the thread of the activity, possibly on several threads at the same time, and
  /// possibly inside an access, which waits for it. It must not use a database, and should return
  /// quickly: pass on what takes long.
  func record(_ activity: DatabaseActivity)
}
