extension Duration {
  var milliseconds: Int { Int(self / .milliseconds(1)) }
  var nanoseconds: UInt64 { UInt64(max(0, self / .nanoseconds(1))) }
}
