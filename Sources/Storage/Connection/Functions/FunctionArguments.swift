/// The arguments of a function call. SQLite owns them; they are valid only during the call.
struct FunctionArguments: RandomAccessCollection {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
    self.values = values
    self.count = count
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }
  subscript(index: Int) -> ColumnValue { ColumnValue(sqliteValue: values![index]!) }

  /// Copies of the arguments.
  var databaseValues: [DatabaseValue] { map(\.databaseValue) }
}
