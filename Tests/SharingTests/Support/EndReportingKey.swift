import Sharing

/// A key that fetches like its base key, and reports when its observation has ended.
struct EndReportingKey<Value: Sendable>: SharedReaderKey {
  let base: FetchKey<Value>
  /// Happens after the observation has ended.
  let ended: Event

  var id: FetchKeyID { base.id }

  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let subscription = base.subscribe(context: context, subscriber: subscriber)
    return SharedSubscription { [ended] in
      subscription.cancel()
      ended.happen()
    }
  }
}
