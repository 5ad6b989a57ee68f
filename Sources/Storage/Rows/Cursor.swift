/// Something that yields elements one by one, as they are computed.
///
///     let names = try String.fetchCursor(db, sql: "SELECT name FROM item")
///     while let name = try names.next() {
///       print(name)
///     }
///
/// A cursor over a database is iterated once, in the access that made it: SQLite is asked for a row when
/// the cursor is asked for an element, and only then. Do not change the rows of the query while its
/// cursor is open: which changes it sees is not defined. A cursor cannot be a `Sequence`, because every
/// step can fail.
///
/// The operators are those of `Sequence`. What can be lazy is lazy, and throws with the element that
/// fails; the others throw at once. Both throw what ``next()`` throws, and what their closures throw:
///
///     let urls = try URL.fetchCursor(db, sql: "SELECT url FROM link")
///     try urls.filter { $0.host() == "github.com" }.forEach { print($0) }
public protocol Cursor<Element>: AnyObject {
  /// What the cursor yields.
  associatedtype Element

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: What keeps the element from being computed: ``DatabaseError`` when the database fails,
  ///   and what decoding throws.
  func next() throws -> Element?
}
