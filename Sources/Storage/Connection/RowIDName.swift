/// The names of the row id. A column with one of these names hides the row id under that name.
/// https://www.sqlite.org/lang_createtable.html#rowid
package enum RowIDName {
  package static let all = ["rowid", "_rowid_", "oid"]

  /// Returns a name that no column has; `nil` if the row id has no such name.
  package static func free(of columns: some Sequence<String>) -> String? {
    let names = Set(columns.map(\.asciiLowercased))
    return all.first { !names.contains($0) }
  }
}
