/// The size of a terminal's window in characters.
struct WindowSize: Equatable {
  var columns: Int
  var rows: Int
}
