internal import Storage

/// Ten integers in a record that is decoded by column name.
struct NamedIntegers {
  var a: Int
  var b: Int
  var c: Int
  var d: Int
  var e: Int
  var f: Int
  var g: Int
  var h: Int
  var i: Int
  var j: Int
}

extension NamedIntegers: FetchableRecord {
  init(row: Row) throws {
    a = row["a"]
    b = row["b"]
    c = row["c"]
    d = row["d"]
    e = row["e"]
    f = row["f"]
    g = row["g"]
    h = row["h"]
    i = row["i"]
    j = row["j"]
  }
}

extension NamedIntegers: Checksummed {
  var checksum: Int { [a, b, c, d, e, f, g, h, i, j].checksum }
}
