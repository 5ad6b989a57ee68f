internal import CommandLineSupport
internal import Glibc

/// The terminal on which a table is drawn in place.
///
/// A drawing starts at the cursor, below the previous contents of the screen. The next drawing
/// replaces it. The last drawing stays on the screen.
struct Terminal {
  private let output: Output
  private let usesColors: Bool
  /// The number of lines of the drawing, which are above the cursor.
  private var drawnLines = 0
  /// The original modes of the terminal, while they are changed.
  private var savedModes: termios?

  /// Creates the terminal at `output`, with colours unless they are disabled: see
  /// https://no-color.org.
  init(output: Output = .standardOutput, usesColors: Bool = Terminal.allowsColors()) {
    self.output = output
    self.usesColors = usesColors
  }

  /// Returns whether the user allows colours.
  static func allowsColors() -> Bool {
    guard let value = getenv("NO_COLOR") else { return true }
    return value.pointee == 0
  }

  /// Returns whether the terminal understands the sequences that move the cursor.
  static func canMoveCursor() -> Bool {
    guard let value = getenv("TERM") else { return false }
    return value.pointee != 0 && String(cString: value) != "dumb"
  }

  /// The size of the window; 80 by 24 if the terminal does not know its size.
  var size: WindowSize {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return WindowSize(columns: 80, rows: 24) }
    return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Draws lines in place of the previous drawing.
  mutating func draw(_ lines: [StyledLine]) throws {
    try draw(lines, from: drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r" : "\r")
  }

  /// Clears the screen and draws lines at its top, if there is a previous drawing.
  ///
  /// Resizing a window moves the previous drawing to an unknown place.
  mutating func clearAndDraw(_ lines: [StyledLine]) throws {
    guard drawnLines > 0 else { return try draw(lines) }
    try draw(lines, from: "\u{1B}[H\u{1B}[2J")
  }

  private mutating func draw(_ lines: [StyledLine], from start: String) throws {
    silenceKeyboard()
    // Without line wrap, a character that is wider than expected does not break the layout.
    var frame = "\u{1B}[?25l\u{1B}[?7l" + start
    let width = size.columns
    for line in lines {
      frame += line.encoded(colors: usesColors)
      // After a full line, the cursor is still on the last character, which would be cleared.
      if line.width < width { frame += "\u{1B}[K" }
      frame += "\r\n"
    }
    frame += "\u{1B}[J\u{1B}[?7h"
    drawnLines = lines.count
    try output.write(frame)
  }

  /// Restores the terminal, with the cursor below the drawing.
  mutating func release() throws {
    guard drawnLines > 0 else { return }
    drawnLines = 0
    if var modes = savedModes {
      savedModes = nil
      // Discard keys that were typed during the drawing: they were not meant for the shell.
      tcflush(output.descriptor, TCIFLUSH)
      tcsetattr(output.descriptor, TCSANOW, &modes)
    }
    try output.write("\u{1B}[?25h")
  }

  /// Hides typed characters, which would shift the drawing, and makes each key readable at once.
  /// Keys such as Ctrl-C still work.
  private mutating func silenceKeyboard() {
    guard savedModes == nil else { return }
    // The system would stop a background process that changes the terminal's modes.
    let foreground = tcgetpgrp(output.descriptor)
    guard foreground < 0 || foreground == getpgrp() else { return }
    var modes = termios()
    guard tcgetattr(output.descriptor, &modes) == 0 else { return }
    savedModes = modes
    modes.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(output.descriptor, TCSANOW, &modes)
  }
}
