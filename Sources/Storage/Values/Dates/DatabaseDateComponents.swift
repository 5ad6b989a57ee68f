public import FoundationEssentials

/// Date components that are stored as text in one of SQLite's date formats.
///
///     let components = DateComponents(year: 2001, month: 2, day: 3)
///     let birthday = DatabaseDateComponents(components, format: .YMD)
///     try db.execute(sql: "UPDATE player SET birthday = ?", arguments: [birthday])
///     // UPDATE player SET birthday = '2001-02-03'
///
/// Components are not a point in time: a time zone is read when the text has one, but never
/// written.
///
/// Components that form no date or time, such as the year 10,000 or the minute 60, cannot be
/// stored: binding them throws ``DatabaseError`` with `SQLITE_MISMATCH`.
public struct DatabaseDateComponents: Hashable, Sendable {
  /// The text formats of dates and times.
  public enum Format: String, CaseIterable, Sendable {
    /// `2001-02-03`
    case YMD = "yyyy-MM-dd"
    /// `2001-02-03 04:05`
    case YMD_HM = "yyyy-MM-dd HH:mm"
    /// `2001-02-03 04:05:06`
    case YMD_HMS = "yyyy-MM-dd HH:mm:ss"
    /// `2001-02-03 04:05:06.789`
    case YMD_HMSS = "yyyy-MM-dd HH:mm:ss.SSS"
    /// `04:05`
    case HM = "HH:mm"
    /// `04:05:06`
    case HMS = "HH:mm:ss"
    /// `04:05:06.789`
    case HMSS = "HH:mm:ss.SSS"

    init?(hasDate: Bool, precision: DateTextParts.Precision?) {
      switch (hasDate, precision) {
      case (true, nil): self = .YMD
      case (true, .minute): self = .YMD_HM
      case (true, .second): self = .YMD_HMS
      case (true, .fraction): self = .YMD_HMSS
      case (false, .minute): self = .HM
      case (false, .second): self = .HMS
      case (false, .fraction): self = .HMSS
      case (false, nil): return nil
      }
    }
  }

  /// The components.
  public let dateComponents: DateComponents

  /// The format in which the components are stored.
  public let format: Format

  /// Creates components to store in a format.
  ///
  /// Components that are not part of the format are not stored. Missing components that the format
  /// requires are stored as 0, a missing month or day as 1.
  public init(_ dateComponents: DateComponents, format: Format) {
    self.dateComponents = dateComponents
    self.format = format
  }
}

extension DatabaseDateComponents: DatabaseValueConvertible {
  /// The components as a TEXT in their ``format``.
  public var databaseValue: DatabaseValue {
    guard isStorable else { return UnstorableValue.dateComponents.databaseValue }
    func number(_ value: Int?, _ missing: Int, digits: Int) -> String {
      let text = String(value ?? missing)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    var text = format.rawValue
    let parts = dateComponents
    let milliseconds = Int((Double(parts.nanosecond ?? 0) / 1_000_000).rounded())
    for (mark, digits) in [
      ("yyyy", number(parts.year, 0, digits: 4)), ("MM", number(parts.month, 1, digits: 2)),
      ("dd", number(parts.day, 1, digits: 2)), ("HH", number(parts.hour, 0, digits: 2)),
      ("mm", number(parts.minute, 0, digits: 2)), ("ss", number(parts.second, 0, digits: 2)),
      ("SSS", number(min(milliseconds, 999), 0, digits: 3)),
    ] {
      text = text.replacing(mark, with: digits)
    }
    return text.databaseValue
  }

  /// Whether the text of the components can be read.
  private var isStorable: Bool {
    let parts = dateComponents
    func fits(_ mark: String, _ value: Int?, _ range: ClosedRange<Int>) -> Bool {
      !format.rawValue.contains(mark) || value.map(range.contains) ?? true
    }
    return fits("yyyy", parts.year, 0...9999) && fits("MM", parts.month, 1...12)
      && fits("dd", parts.day, 1...31) && fits("HH", parts.hour, 0...24)
      && fits("mm", parts.minute, 0...59) && fits("ss", parts.second, 0...59)
      && fits("SSS", parts.nanosecond, 0...999_999_999)
  }

  /// Reads a TEXT in any of the formats; refuses numbers.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseDateComponents? {
    guard case .string(var text) = value.storage,
      let parts = text.withUTF8({ DateTextParts(UnsafeRawBufferPointer($0)) }),
      let format = Format(hasDate: parts.date != nil, precision: parts.precision)
    else { return nil }
    var components = DateComponents()
    if let date = parts.date {
      (components.year, components.month, components.day) = date
    }
    if let precision = parts.precision {
      components.hour = parts.hour
      components.minute = parts.minute
      if precision != .minute { components.second = parts.second }
      if precision == .fraction {
        // A whole second would not be a fraction.
        let nanoseconds = Int((parts.fraction * 1_000_000_000).rounded())
        components.nanosecond = min(nanoseconds, 999_999_999)
      }
    }
    components.timeZone = parts.zone.flatMap { TimeZone(secondsFromGMT: $0 * 60) }
    return DatabaseDateComponents(components, format: format)
  }
}

extension DatabaseDateComponents: Codable {
  /// Decodes the components from their text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let components = Self.fromDatabaseValue(text.databaseValue) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(text.databaseValue) is not a date or time"
      )
    }
    self = components
  }

  /// Encodes the components as their text.
  ///
  /// - Throws: `EncodingError` for components that form no date or time.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let text = String.fromDatabaseValue(databaseValue) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "\(UnstorableValue.dateComponents.description): \(dateComponents)"
        )
      )
    }
    try container.encode(text)
  }
}
