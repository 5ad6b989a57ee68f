/// A database of another module that reads and writes through a database of this one.
///
/// Observations, and all that needs the connections, go to that database.
package protocol DatabaseFace: DatabaseReader {
  /// The database behind the face.
  var facedDatabase: any DatabaseReader { get }
}
