public import Storage

/// A write that any node accepts, and that the primary runs.
///
///     struct Sell: ForwardableWrite {
///       var itemID: Int64
///
///       func write(_ db: Database) throws -> Int64 {
///         try db.execute(sql: "INSERT INTO sale (itemID) VALUES (?)", arguments: [itemID])
///         return db.lastInsertedRowID
///       }
///     }
///
/// The value travels as JSON, never the code: each node runs its own ``write(_:)``. While a new
/// version is deployed, nodes of both versions run. Give new properties a default that the older
/// version means, and a write with another meaning another ``name``.
///
/// See ``WriteForwarder`` for the node that sends, and ``WriteReceiver`` for the primary.
public protocol ForwardableWrite: Codable, Sendable {
  /// The result of the write. It is stored with the write, so keep it small.
  associatedtype Output: Codable, Sendable

  /// The name of the write on all nodes: at most 255 bytes in UTF-8. The default is the name of the
  /// type.
  static var name: String { get }

  /// Writes, in a transaction on the primary.
  ///
  /// An error undoes the changes of the method, and reaches the caller as a ``ForwardedWriteError``
  /// with the text of the error. Return results that the caller must tell apart, such as "sold
  /// out", as an `Output`.
  ///
  /// - Parameter db: A writable connection, valid only inside the method.
  /// - Returns: The output.
  /// - Throws: Why the write is refused.
  func write(_ db: Database) throws -> Output
}

extension ForwardableWrite {
  /// The name of the type, without its module.
  public static var name: String { "\(Self.self)" }
}
