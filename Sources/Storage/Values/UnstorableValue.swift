internal import CWellspringSQLite
internal import FoundationEssentials
internal import WellspringSystem

/// A value that has no form in the database, such as a date of the year 12,000, or a `Codable`
/// value that its encoder refuses.
///
/// ``DatabaseValueConvertible/databaseValue`` cannot throw. So such a value becomes a NaN with a
/// payload, which each statement refuses when it is bound. A NaN without this payload is stored as
/// NULL, because SQLite has no NaN.
enum UnstorableValue: Equatable {
  /// A date outside of the years 0 to 9999, in seconds since 1970.
  case date(Float)
  /// Date components that form no date or time.
  case dateComponents
  /// A date that is not finite, for a column of integers.
  case infiniteDate
  /// A value whose encoder has failed, with the number of the failure in ``EncodingFailures``.
  case failedEncoding(UInt32)

  /// The result code of a binding.
  static let bindingResult = SQLITE_MISMATCH

  /// The upper half of the payload, without the kind.
  private static let mark: UInt64 = 0x7FFD_A7E0

  private var bits: UInt64 {
    let (kind, payload): (UInt64, UInt32) =
      switch self {
      case .date(let seconds): (1, seconds.bitPattern)
      case .dateComponents: (2, 0)
      case .infiniteDate: (3, 0)
      case .failedEncoding(let number): (4, number)
      }
    return (Self.mark | kind) << 32 | UInt64(payload)
  }

  var databaseValue: DatabaseValue { DatabaseValue(storage: .double(Double(bitPattern: bits))) }

  /// Returns the unstorable value that a number represents; `nil` for ordinary numbers.
  @inline(__always)
  init?(_ number: Double) {
    guard number.isNaN else { return nil }
    self.init(payload: number.bitPattern)
  }

  @inline(never)
  private init?(payload bits: UInt64) {
    switch (bits >> 32) ^ Self.mark {
    case 1: self = .date(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 2: self = .dateComponents
    case 3: self = .infiniteDate
    case 4: self = .failedEncoding(UInt32(truncatingIfNeeded: bits))
    default: return nil
    }
  }

  /// The value in words.
  var description: String {
    switch self {
    case .date(let seconds) where seconds.isNaN: "a date that is not a number"
    case .date(let seconds) where seconds.isInfinite: "an infinite date"
    case .date(let seconds) where seconds.magnitude < 1e13:
      "a date of about the year \(1970 + Int((Double(seconds) / 31_556_952).rounded(.down)))"
    case .date(let seconds): "a date of \(seconds) seconds since 1970"
    case .dateComponents: "date components that form no date or time"
    case .infiniteDate: "a date that is not finite"
    case .failedEncoding: "a value that cannot be encoded"
    }
  }

  /// A proposal for a value that can be stored instead.
  private var advice: String {
    switch self {
    case .date:
      """
      SQLite has texts for the years 0 to 9999 only. Store such dates as numbers, for example with \
      timeIntervalSince1970
      """
    case .dateComponents:
      "the year must lie between 0 and 9999, and the other components in their ranges"
    case .infiniteDate:
      "there is no such INTEGER. Store such dates with the strategy timeIntervalSince1970"
    case .failedEncoding:
      "its encoder has failed"
    }
  }

  /// Returns the error of a target that takes no such value, for example `the column "day"`. A
  /// value whose encoder has failed has the error of the encoder.
  func error(in target: String) -> any Error {
    if case .failedEncoding(let number) = self, let error = EncodingFailures.error(number) {
      return error
    }
    return DatabaseError(
      resultCode: .SQLITE_MISMATCH,
      message: "\(target) cannot store \(description): \(advice)"
    )
  }
}

/// The errors of encoders, until something stores the values.
enum EncodingFailures {
  private struct State {
    var count: UInt32 = 0
    var latest: [UInt32: any Error] = [:]
  }

  // Guards the errors. A value is stored soon after it is encoded, so that a few are enough.
  private static let state = Lock(State())
  private static let capacity: UInt32 = 100

  /// Returns the value that represents a failure.
  static func value(of error: any Error) -> DatabaseValue {
    // The oldest error is released outside of the lock.
    let (number, _) = state.withLock { state in
      state.count &+= 1
      state.latest[state.count] = error
      return (state.count, state.latest.removeValue(forKey: state.count &- capacity))
    }
    return UnstorableValue.failedEncoding(number).databaseValue
  }

  /// Returns the error with a number; `nil` if many failures came after it.
  static func error(_ number: UInt32) -> (any Error)? {
    state.withLock { $0.latest[number] }
  }
}

extension DatabaseValue {
  /// The unstorable value that this value represents; `nil` for a value that can be stored.
  var unstorable: UnstorableValue? {
    if case .double(let number) = storage { UnstorableValue(number) } else { nil }
  }
}
