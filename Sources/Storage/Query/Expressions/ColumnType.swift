extension Database {
  /// The declared type of a column.
  public struct ColumnType: RawRepresentable, Hashable, Sendable {
    /// The name of the type in SQL.
    public let rawValue: String

    /// Creates a type from its name in SQL.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a type from its name in SQL.
    public init(_ rawValue: String) {
      self.init(rawValue: rawValue)
    }

    /// `TEXT`
    public static let text = ColumnType(rawValue: "TEXT")
    /// `INTEGER`
    public static let integer = ColumnType(rawValue: "INTEGER")
    /// `DOUBLE`
    public static let double = ColumnType(rawValue: "DOUBLE")
    /// `REAL`
    public static let real = ColumnType(rawValue: "REAL")
    /// `NUMERIC`
    public static let numeric = ColumnType(rawValue: "NUMERIC")
    /// `BOOLEAN`
    public static let boolean = ColumnType(rawValue: "BOOLEAN")
    /// `BLOB`
    public static let blob = ColumnType(rawValue: "BLOB")
    /// `DATE`
    public static let date = ColumnType(rawValue: "DATE")
    /// `DATETIME`
    public static let datetime = ColumnType(rawValue: "DATETIME")
    /// `ANY`: a column of a strict table that stores values without conversion.
    public static let any = ColumnType(rawValue: "ANY")
    /// `TEXT`: for JSON as text.
    public static let jsonText = ColumnType(rawValue: "TEXT")
    /// `BLOB`: for JSON in SQLite's binary format.
    public static let jsonb = ColumnType(rawValue: "BLOB")
  }
}
