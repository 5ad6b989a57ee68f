internal import Storage

/// Ten integers in a record with handwritten decoding, by index, and encoding.
struct HandwrittenIntegers {
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

extension HandwrittenIntegers {
  /// Creates the integers of the `number`-th row.
  init(number: Int) {
    let row = Integers(number: number)
    self.init(
      a: row.a,
      b: row.b,
      c: row.c,
      d: row.d,
      e: row.e,
      f: row.f,
      g: row.g,
      h: row.h,
      i: row.i,
      j: row.j
    )
  }
}

extension HandwrittenIntegers: FetchableRecord {
  init(row: Row) throws {
    a = row[0]
    b = row[1]
    c = row[2]
    d = row[3]
    e = row[4]
    f = row[5]
    g = row[6]
    h = row[7]
    i = row[8]
    j = row[9]
  }
}

extension HandwrittenIntegers: PersistableRecord {
  static let databaseTableName = Integers.databaseTableName

  func encode(to container: inout PersistenceContainer) throws {
    container["a"] = a
    container["b"] = b
    container["c"] = c
    container["d"] = d
    container["e"] = e
    container["f"] = f
    container["g"] = g
    container["h"] = h
    container["i"] = i
    container["j"] = j
  }
}

extension HandwrittenIntegers: Checksummed {
  var checksum: Int { [a, b, c, d, e, f, g, h, i, j].checksum }
}
