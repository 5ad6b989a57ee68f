/// A type that yields elements one by one, computing each when it is requested.
///
///     let names = try String.fetchCursor(db, sql: "SELECT name FROM item")
///     while let name = try names.next() {
///       print(name)
///     }
///
/// A database cursor can be iterated once, inside the access that created it. SQLite computes a row
/// only when the cursor is asked for its next element. Do not change the rows of the query while
/// its cursor is open: it is undefined which changes the cursor sees. A cursor is not a `Sequence`,
/// because every step can fail.
///
/// The operators are those of `Sequence`. Operators that can be lazy are lazy, and throw when they
/// reach the element that fails; the other operators throw immediately. All of them rethrow the
/// errors of ``next()`` and of their closures:
///
///     let urls = try URL.fetchCursor(db, sql: "SELECT url FROM link")
///     try urls.filter { $0.host() == "github.com" }.forEach { print($0) }
public protocol Cursor<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the database fails, again at each further call, and the
  ///   errors of decoding the element.
  func next() throws -> Element?
}
