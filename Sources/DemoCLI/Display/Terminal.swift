internal import Glibc

/// The terminal on which a table is drawn in place.
///
/// A drawing stands where the cursor was, below what was on the screen before, and is drawn over by
/// the next one. The last one stays on the screen.
struct Terminal {
  private let output: Output
  private let usesColors: Bool
  /// How many lines of the drawing are above the cursor.
  private var drawnLines = 0
  /// The modes that the terminal had, while it has others.
  private var savedModes: termios?

  /// Makes the terminal at `output`, with colours if they are wanted: see https://no-color.org.
  init(output: Output = .standardOutput, usesColors: Bool = Terminal.allowsColors()) {
    self.output = output
    self.usesColors = usesColors
  }

  /// Whether the user has not switched colours off.
  static func allowsColors() -> Bool {
    guard let value = getenv("NO_COLOR") else { return true }
    return value.pointee == 0
  }

  /// The size of the window: 80 by 24 when the terminal does not know.
  var size: WindowSize {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return WindowSize(columns: 80, rows: 24) }
    return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Draws lines over those that were drawn before.
  mutating func draw(_ lines: [StyledLine]) throws {
    try draw(lines, from: drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r" : "\r")
  }

  /// Draws lines at the top of the emptied screen, when there is a drawing.
  ///
  /// A window of another size has moved what was drawn before, and nobody knows where.
  mutating func drawAnew(_ lines: [StyledLine]) throws {
    guard drawnLines > 0 else { return try draw(lines) }
    try draw(lines, from: "\u{1B}[H\u{1B}[2J")
  }

  private mutating func draw(_ lines: [StyledLine], from start: String) throws {
    silenceKeyboard()
    // Without line wrap, a character that is wider than it should be does no harm.
    var frame = "\u{1B}[?25l\u{1B}[?7l" + start
    let width = size.columns
    for line in lines {
      frame += line.encoded(colors: usesColors)
      // Behind a full line the cursor is still on its last character, which would be cleared.
      if line.width < width { frame += "\u{1B}[K" }
      frame += "\r\n"
    }
    frame += "\u{1B}[J\u{1B}[?7h"
    drawnLines = lines.count
    try output.write(frame)
  }

  /// Gives the terminal back, with the cursor below the drawing.
  mutating func release() throws {
    guard drawnLines > 0 else { return }
    drawnLines = 0
    if var modes = savedModes {
      savedModes = nil
      // What was typed meanwhile was not meant for the shell.
      tcflush(output.descriptor, TCIFLUSH)
      tcsetattr(output.descriptor, TCSANOW, &modes)
    }
    try output.write("\u{1B}[?25h")
  }

  /// Keeps typed characters off the screen, where they would move the drawing. Keys such as Ctrl-C
  /// still work.
  private mutating func silenceKeyboard() {
    guard savedModes == nil else { return }
    // A process in the background that changes the terminal's modes would be stopped.
    let foreground = tcgetpgrp(output.descriptor)
    guard foreground < 0 || foreground == getpgrp() else { return }
    var modes = termios()
    guard tcgetattr(output.descriptor, &modes) == 0 else { return }
    savedModes = modes
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(output.descriptor, TCSANOW, &modes)
  }
}
