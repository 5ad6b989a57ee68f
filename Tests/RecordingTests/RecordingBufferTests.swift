import Testing

@testable import Recording
@testable import Storage

@Suite struct RecordingBufferTests {
  private static let a = RecordedTable(name: "a", columnCount: 1, keyCount: 0)
  private static let b = RecordedTable(name: "b", columnCount: 1, keyCount: 0)

  private static func insert(
    _ table: RecordedTable,
    _ rowID: Int64,
    _ buffer: inout RecordingBuffer
  ) {
    buffer.begin(.insert, table: buffer.number(of: table))
    buffer.append(signed: rowID)
    buffer.append(RecordedValue.integer(rowID))
  }

  @Test func `what was cut off is gone, and its tables are named again`() {
    var buffer = RecordingBuffer()
    #expect(buffer.isEmpty)
    Self.insert(Self.a, 1, &buffer)
    let position = buffer.position
    Self.insert(Self.b, 2, &buffer)
    #expect(buffer.tables(before: position) == [Self.a])
    #expect(buffer.tables(before: buffer.position) == [Self.a, Self.b])
    buffer.cut(at: position)
    Self.insert(Self.b, 3, &buffer)
    Self.insert(Self.a, 4, &buffer)
    let expected: [RecordedItem] = [
      .insert(Self.a, rowID: 1, values: [.integer(1)]),
      .insert(Self.b, rowID: 3, values: [.integer(3)]),
      .insert(Self.a, rowID: 4, values: [.integer(4)]),
    ]
    #expect(buffer.take().items == expected)
    #expect(buffer.isEmpty)
    #expect(buffer.take().items == [])
  }

  @Test func `a table whose columns have changed is another table`() {
    var buffer = RecordingBuffer()
    let wider = RecordedTable(name: "a", columnCount: 2, keyCount: 0)
    let first = buffer.number(of: Self.a)
    let second = buffer.number(of: wider)
    #expect(first != second)
    #expect(buffer.number(of: Self.a) == first)
    #expect(buffer.number(of: wider) == second)
  }
}
