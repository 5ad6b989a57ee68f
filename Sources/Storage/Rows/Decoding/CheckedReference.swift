internal import WellspringSystem

/// An unowned reference that is free to copy, and that stops the process when it is used after its
/// object was deallocated.
///
/// The standard library copies a decoding container for every value that it decodes. With reference
/// counting, the copies would take longer than the decoding. A plain pointer avoids the counting,
/// but would dangle when a type stores its container beyond the row. So this reference points to a
/// slot that is never freed, and remembers the slot's generation, which changes with each object.
struct CheckedReference<Object: AnyObject> {
  private let slot: UnsafeMutablePointer<ReferenceSlot>
  private let generation: UInt

  /// Creates a reference without an object.
  init() {
    slot = ReferenceSlot.acquire()
    generation = slot.pointee.generation
  }

  /// Sets the object. The object must call ``invalidate()`` in its `deinit`.
  func attach(_ object: Object) {
    slot.pointee.object = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  /// Detaches the object and recycles the slot.
  func invalidate() {
    slot.pointee.generation &+= 1
    slot.pointee.object = nil
    ReferenceSlot.release(slot)
  }

  /// Whether the object has not been deallocated.
  @inline(__always) var isAttached: Bool { slot.pointee.generation == generation }

  /// Calls `body` with the object.
  ///
  /// - Precondition: The object has not been deallocated.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    guard slot.pointee.generation == generation, let object = slot.pointee.object else {
      ReferenceSlot.stopAfterInvalidation()
    }
    return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef(body)
  }
}

/// The memory in which a ``CheckedReference`` finds its object.
///
/// Slots are reused, so there are only as many as were ever in use at the same time.
private struct ReferenceSlot {
  var generation: UInt = 0
  var object: UnsafeRawPointer?

  // Guards the addresses of the unused slots.
  private static let unused = Lock<[UInt]>([])

  static func acquire() -> UnsafeMutablePointer<ReferenceSlot> {
    let known = unused.withLock { $0.popLast() }
    if let known, let slot = UnsafeMutablePointer<ReferenceSlot>(bitPattern: known) { return slot }
    let slot = UnsafeMutablePointer<ReferenceSlot>.allocate(capacity: 1)
    slot.initialize(to: ReferenceSlot())
    return slot
  }

  static func release(_ slot: UnsafeMutablePointer<ReferenceSlot>) {
    unused.withLock { $0.append(UInt(bitPattern: slot)) }
  }

  @inline(never)
  static func stopAfterInvalidation() -> Never {
    fatalError(
      """
      A decoder or one of its containers was used after its row had been decoded. Decode all \
      values inside init(from:).
      """
    )
  }
}
