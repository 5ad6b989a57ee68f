/// A fault of a faulty file system.
struct Fault: Sendable, CustomStringConvertible {
  /// A call of SQLite to the file system.
  enum Call: String, CaseIterable, Sendable {
    case open, read, write, truncate, sync, size, delete, access, shmMap
  }

  /// The effect of the fault on the call.
  enum Effect: Sendable, Equatable {
    /// The call fails with an I/O error.
    case error
    /// The disk is full. A write does not happen.
    case full
    /// Half of the bytes are written, then the disk is full.
    case shortWrite
    /// The call succeeds, after a while.
    case slow
    /// The call fails with an error of the system, such as `EDQUOT`.
    case system(Int32)
    /// The machine loses its power before the call, which fails, as all later calls do.
    case powerCut
  }

  let call: Call
  let effect: Effect
  /// The calls of this kind that succeed before.
  let number: Int
  /// Whether the later calls of this kind fail too, until the fault is repaired.
  var persists = false

  var description: String {
    "\(effect) at \(call.rawValue) \(number)\(persists ? " and later" : "")"
  }
}
