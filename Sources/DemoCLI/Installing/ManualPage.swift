/// The manual page of the tool, which contains the help of all commands.
enum ManualPage {
  /// Returns the page in the language of `man`.
  static func text(for commands: [any Subcommand.Type]) -> String {
    var lines = [
      ".TH WELLSPRING 1 \"\" \"wellspring \(Tool.version)\" \"User Commands\"",
      ".SH NAME",
      "wellspring \\- shows what is in a SQLite file, live, whichever process writes to it",
      ".SH SYNOPSIS",
      ".B wellspring",
      "\\fIFILE\\fR",
      ".br",
      ".B wellspring",
      "\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...",
      ".SH DESCRIPTION",
    ]
    lines += literal(Usage.text(for: commands))
    lines += [".SH COMMANDS"]
    for command in commands {
      lines += [".SS \(command.name)"] + literal(command.help)
    }
    lines += [
      ".SH ENVIRONMENT",
      ".TP", ".B NO_COLOR", "If it is set and not empty, the output has no colours.",
      ".TP", ".B TERM", "If it is \"dumb\" or not set, nothing is drawn in place.",
      ".SH EXIT STATUS",
      "0 success, also after Ctrl\\-C; 1 failure; 2 invalid arguments; 130 ended by a signal before",
      "\\-\\-count or \\-\\-once was reached.",
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns lines that are printed as they are, from the left edge on: they are made for windows
  /// of 80 columns.
  private static func literal(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : String(escaped)
    }
    while lines.last == "" { lines.removeLast() }
    return [".nf", ".in 0"] + lines + [".in", ".fi"]
  }
}
