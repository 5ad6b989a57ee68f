internal import WellspringPlatform

/// A reference that does not keep its object alive, costs nothing to copy, and stops the process when
/// it is used after the object's end.
///
/// The standard library copies a decoding container for every value that it decodes, which takes
/// longer than the decoding when the container counts references. A plain pointer would do without,
/// and dangle when somebody keeps the container. So this one leads to a slot that is never freed, and
/// knows how often the slot was used before it.
struct CheckedReference<Object: AnyObject> {
  private let slot: UnsafeMutablePointer<ReferenceSlot>
  private let generation: UInt

  /// Makes a reference to nothing.
  init() {
    slot = ReferenceSlot.take()
    generation = slot.pointee.generation
  }

  /// Refers to `object` until ``invalidate()``, which the object calls in its `deinit`.
  func refer(to object: Object) {
    slot.pointee.object = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  /// The object has come to its end.
  func invalidate() {
    slot.pointee.generation &+= 1
    slot.pointee.object = nil
    ReferenceSlot.giveBack(slot)
  }

  /// Calls `body` with the object.
  ///
  /// - Precondition: It is still there.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    guard slot.pointee.generation == generation, let object = slot.pointee.object else {
      ReferenceSlot.stop()
    }
    return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef(body)
  }
}

/// Where a ``CheckedReference`` finds its object. There are as many as were ever in use at a time.
private struct ReferenceSlot {
  var generation: UInt = 0
  var object: UnsafeRawPointer?

  // Guards the slots that nobody uses, by their addresses.
  private static let unused = Lock<[UInt]>([])

  static func take() -> UnsafeMutablePointer<ReferenceSlot> {
    let known = unused.withLock { $0.popLast() }
    if let known, let slot = UnsafeMutablePointer<ReferenceSlot>(bitPattern: known) { return slot }
    let slot = UnsafeMutablePointer<ReferenceSlot>.allocate(capacity: 1)
    slot.initialize(to: ReferenceSlot())
    return slot
  }

  static func giveBack(_ slot: UnsafeMutablePointer<ReferenceSlot>) {
    unused.withLock { $0.append(UInt(bitPattern: slot)) }
  }

  @inline(never)
  static func stop() -> Never {
    fatalError(
      """
      A decoder or one of its containers was used after the row that it decodes. Decode what is \
      needed in init(from:).
      """
    )
  }
}
