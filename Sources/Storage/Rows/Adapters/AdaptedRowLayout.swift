/// The columns and scopes of an adapted row.
public struct AdaptedRowLayout: Sendable {
  /// A column of an adapted row.
  public struct Column: Sendable {
    /// The index of the column in the query, counted from 0.
    public var baseIndex: Int
    /// The name of the column in the adapted row.
    public var name: String

    /// Creates a column.
    public init(baseIndex: Int, name: String) {
      self.baseIndex = baseIndex
      self.name = name
    }
  }

  /// The columns, from left to right.
  public var columns: [Column]

  /// The layouts of the scopes, by name.
  public var scopes: [String: AdaptedRowLayout]

  /// The table whose columns the row shows, where a request with associations says so.
  var tableName: String?

  /// Creates a layout.
  public init(columns: [Column], scopes: [String: AdaptedRowLayout] = [:]) {
    self.columns = columns
    self.scopes = scopes
  }
}

extension AdaptedRowLayout {
  /// Returns the leftmost column named `name`, ignoring case.
  func column(named name: String) -> Column? {
    let name = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == name }
  }

  /// Returns the error of an adapter that requires other columns.
  func mismatch(_ message: String) -> DatabaseError {
    let names = columns.map(\.name).joined(separator: ", ")
    return DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(message): the columns are \(names.isEmpty ? "none" : names)"
    )
  }
}
